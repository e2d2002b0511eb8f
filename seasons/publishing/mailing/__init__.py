"""Results by e-mail: to who agreed, one letter a person, never twice for one version."""
