"""The Laws of Duplicate Whist: the book, the situations, and the ruling assistant.

laws         laws I to XI
readings     the terms that they define, and readings of unclear passages
situations   the 52 situations in which a director is called, by the moment of play
search       search by number, word or incident
assistant    advice on remedy, enforcer and effect, from a situation and answers
"""

from laws.book.assistant import get_advice, list_questions
from laws.book.laws import LAWS, LAWS_SOURCE, SECTIONS_BY_KEY
from laws.book.readings import DEFINITIONS, READINGS
from laws.book.search import LawBookMatches, search_law_book
from laws.book.situation import Advice, PlayFacts, RulingEffect
from laws.book.situations import FREQUENT_SITUATIONS, SITUATIONS_BY_CODE, SITUATIONS_BY_MOMENT
from laws.book.values import format_citation
