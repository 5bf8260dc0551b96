/** A test card of the sandbox, with its behavior. */
export const TEST_CARDS = [
  { key: 'pays', name: 'pm_card_visa', number: '4242 4242 4242 4242' },
  { key: 'mastercard', name: 'pm_card_mastercard', number: '5555 5555 5555 4444' },
  { key: 'authenticates', name: 'pm_card_authenticationRequired', number: '4000 0027 6000 3184' },
  { key: 'declined', name: 'pm_card_chargeDeclined', number: '4000 0000 0000 0002' },
  { key: 'no_funds', name: 'pm_card_chargeDeclinedInsufficientFunds', number: '4000 0000 0000 9995' },
  { key: 'fails_later', name: 'pm_card_chargeCustomerFail', number: '4000 0000 0000 0341' },
] as const;

/** A card from a form: typed, or a listed one by name, for people who may not create cards. */
export type TestCard =
  | { kind: 'named'; name: string }
  | { kind: 'typed'; number: string; exp_month: number; exp_year: number; cvc: string };

/** The card of a form with `CardFields`. */
export function readTestCard(form: FormData): TestCard {
  const number = form.get('card_number');
  if (number === null) {
    return { kind: 'named', name: String(form.get('test_card')) };
  }
  return {
    kind: 'typed',
    number: String(number).trim(),
    exp_month: Number(form.get('exp_month')),
    exp_year: Number(form.get('exp_year')),
    cvc: String(form.get('cvc')).trim(),
  };
}

/** The name of the listed card with these digits; undefined for any other number. */
export function nameOfNumber(number: string): string | undefined {
  const digits = number.replace(/[ -]/g, '');
  return TEST_CARDS.find((card) => card.number.replaceAll(' ', '') === digits)?.name;
}
