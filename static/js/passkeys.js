// Creates or uses a passkey on a click; the browser's response is submitted with the page's form.
(() => {
  "use strict";
  const trouble = document.getElementById("passkey-trouble");
  const button = document.querySelector("[data-passkey]");
  if (!button || !window.allauth) return;
  const ids = { credential: button.dataset.field, data: "passkey-data" };
  const act = button.dataset.passkey;
  if (act === "add") {
    window.allauth.webauthn.forms.addForm({
      ids: { ...ids, add: button.id, passwordless: "id_passwordless" },
    });
  } else if (act === "in") {
    window.allauth.webauthn.forms.loginForm({ ids: { ...ids, login: button.id } });
  } else {
    window.allauth.webauthn.forms.authenticateForm({ ids: { ...ids, authenticate: button.id } });
  }
  button.addEventListener("click", () => { trouble.hidden = true; });
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    trouble.hidden = false;
  });
})();
