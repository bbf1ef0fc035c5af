"""A first bot: it keeps low cards, and puts them where its highest card lies open."""

from skyjo import Action, Decision


def choose(decision: Decision) -> Action:
    """Choose one of the legal actions."""
    if decision.phase == "flip":
        return decision.legal_actions[0]
    card = decision.discard_pile[-1] if decision.drawn is None else decision.drawn
    cards, hidden = decision.own.open_cards, decision.own.hidden_places
    highest = max(cards, key=lambda place: cards[place], default=hidden[0])
    place = highest if card < cards.get(highest, 5) - 3 else hidden[0]
    if decision.drawn is None:
        return Action.take(place) if card <= 3 else Action.draw()
    return Action.keep(place) if card <= 4 else Action.reject(hidden[0])
