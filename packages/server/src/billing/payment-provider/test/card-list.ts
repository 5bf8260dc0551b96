import { type Behaviour, SUCCEEDS, type TestCard } from './card-behaviour.ts';

/** The test card with a name, with or without `visa_` before `chargeDeclined…`. */
export function findCardByName(name: string): TestCard | undefined {
  return BY_NAME.get(name.replace(/^pm_card_visa_(?=chargeDeclined)/, 'pm_card_'));
}

/** The test card with a number without blanks. */
export function findCardByNumber(number: string): TestCard | undefined {
  return BY_NUMBER.get(number);
}

const declines = (code: string): Behaviour => ({ kind: 'declines', code });
const authenticates = (declineCode?: string): Behaviour => ({
  kind: 'authenticates',
  ...(declineCode === undefined ? {} : { declineCode }),
});
const processes = (declineCode?: string): Behaviour => ({
  kind: 'processes',
  ...(declineCode === undefined ? {} : { declineCode }),
});

const NEEDS_CUSTOMER = declines('authentication_required');

type Row = Omit<TestCard, 'name' | 'number' | 'brand' | 'onSession' | 'offSession'> & {
  onSession?: Behaviour;
  offSession?: Behaviour;
};

/** A card that pays, unless the row says otherwise; off-session it behaves as on-session. */
function card(name: string, number: string, brand: string, row: Row = {}): TestCard {
  const { onSession = SUCCEEDS, offSession = onSession, ...rest } = row;
  return { name, number, brand, onSession, offSession, ...rest };
}

/** A card that is declined when attached, and would be at every charge. */
function declined(name: string, number: string, code: string): TestCard {
  return card(name, number, 'visa', { attachDecline: code, onSession: declines(code) });
}

const PAYING = [
  card('pm_card_visa', '4242424242424242', 'visa'),
  card('pm_card_visa_debit', '4000056655665556', 'visa'),
  card('pm_card_mastercard', '5555555555554444', 'mastercard'),
  card('pm_card_mastercard_2series', '2223003122003222', 'mastercard'),
  card('pm_card_amex', '378282246310005', 'amex'),
  card('pm_card_discover', '6011111111111117', 'discover'),
  card('pm_card_diners', '30569309025904', 'diners'),
  card('pm_card_jcb', '3566002020360505', 'jcb'),
  card('pm_card_unionpay', '6200000000000005', 'unionpay'),
  card('pm_card_threeDSecureOptional', '4000000000003055', 'visa'),
  card('pm_card_createDispute', '4000000000000259', 'visa'),
];

const DECLINED_AT_ONCE = [
  declined('pm_card_chargeDeclined', '4000000000000002', 'generic_decline'),
  declined('pm_card_chargeDeclinedInsufficientFunds', '4000000000009995', 'insufficient_funds'),
  declined('pm_card_chargeDeclinedLostCard', '4000000000009987', 'lost_card'),
  declined('pm_card_chargeDeclinedStolenCard', '4000000000009979', 'stolen_card'),
  declined('pm_card_chargeDeclinedExpiredCard', '4000000000000069', 'expired_card'),
  declined('pm_card_chargeDeclinedIncorrectCvc', '4000000000000127', 'incorrect_cvc'),
  declined('pm_card_chargeDeclinedProcessingError', '4000000000000119', 'processing_error'),
  declined('pm_card_chargeDeclinedVelocityLimitExceeded', '4000000000006975', 'card_velocity_exceeded'),
  declined('pm_card_cvcCheckFail', '4000000000000101', 'incorrect_cvc'),
  declined('pm_card_avsZipFail', '4000000000000036', 'incorrect_zip'),
];

const DECLINED_LATER = [
  card('pm_card_chargeCustomerFail', '4000000000000341', 'visa', { afterCreation: declines('generic_decline') }),
  card('pm_card_radarBlock', '4100000000000019', 'visa', { onSession: declines('fraudulent') }),
];

const AUTHENTICATED = [
  card('pm_card_authenticationRequired', '4000002760003184', 'visa', {
    onSession: authenticates(),
    offSession: NEEDS_CUSTOMER,
  }),
  card('pm_card_authenticationRequiredOnSetup', '4000002500003155', 'visa', {
    onSession: authenticates(),
    offSession: NEEDS_CUSTOMER,
    afterSetUp: SUCCEEDS,
  }),
  card('pm_card_authenticationRequiredSetupForOffSession', '4000003800000446', 'visa', {
    onSession: authenticates(),
    offSession: SUCCEEDS,
  }),
  card('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', '4000008260003178', 'visa', {
    onSession: authenticates('insufficient_funds'),
    offSession: declines('insufficient_funds'),
  }),
  card('pm_card_threeDSecure2Required', '4000000000003220', 'visa', {
    onSession: authenticates(),
    offSession: NEEDS_CUSTOMER,
  }),
  card('pm_card_threeDSecureRequiredChargeDeclined', '4000008400001629', 'visa', {
    onSession: authenticates('generic_decline'),
    offSession: declines('generic_decline'),
  }),
];

/** Network faults, which other providers' test cards do not simulate. */
const FAULTY = [
  card('pm_card_lostResponse', '4000000000200016', 'visa', { onSession: { kind: 'loses_answer' } }),
  card('pm_card_lostRequest', '4000000000200024', 'visa', { onSession: { kind: 'loses_request' } }),
  card('pm_card_processing', '4000000000200032', 'visa', { onSession: processes() }),
  card('pm_card_processingDeclined', '4000000000200040', 'visa', { onSession: processes('generic_decline') }),
  card('pm_card_failsTwiceThenSucceeds', '4000000000200057', 'visa', { declinesRenewals: 2 }),
];

/** All test cards of the sandbox. */
export const TEST_CARDS: readonly TestCard[] = [
  ...PAYING,
  ...DECLINED_AT_ONCE,
  ...DECLINED_LATER,
  ...AUTHENTICATED,
  ...FAULTY,
];

const BY_NAME: ReadonlyMap<string, TestCard> = new Map(TEST_CARDS.map((each) => [each.name, each]));
const BY_NUMBER: ReadonlyMap<string, TestCard> = new Map(TEST_CARDS.map((each) => [each.number, each]));
