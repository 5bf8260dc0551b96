import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The prefixes of secrets. API tokens show their environment (service.md "Authentication"), `ch_` is a login challenge
 * (contract §4); the others are ours, so that scanners and people can distinguish them.
 */
export const TOKEN_PREFIXES = {
  apiLive: 'svc_live_',
  apiTest: 'svc_test_',
  sessionAccess: 'svc_sat_',
  sessionRefresh: 'svc_srt_',
  /** Cookies ignore ports, so the prefixes distinguish those of production and the sandbox. */
  cookieLive: 'svc_scl_',
  cookieTest: 'svc_sct_',
  oauthAccess: 'svc_oat_',
  oauthRefresh: 'svc_ort_',
  oauthCode: 'svc_oac_',
  oauthDevice: 'svc_odc_',
  oauthClientSecret: 'svc_ocs_',
  challenge: 'ch_',
  invitation: 'svc_inv_',
  passwordReset: 'svc_prt_',
  emailVerification: 'svc_evt_',
  operator: 'svc_opt_',
  activation: 'svc_act_',
  staffSetup: 'svc_stf_',
  portalLink: 'svc_wpl_',
  portalSession: 'svc_wps_',
} as const;

export type TokenPrefix = (typeof TOKEN_PREFIXES)[keyof typeof TOKEN_PREFIXES];

/**
 * A new secret: the prefix, 36 random base62 characters (214 bits) and a checksum of six over all before, so that
 * scanners can recognize a real one and garbage is refused before any look-up.
 */
export function newToken(prefix: TokenPrefix): string {
  const body = prefix + randomBase62(RANDOM_CHARACTERS);
  return body + checksum(body);
}

/** Whether the text has the format of one of our tokens and a correct checksum. It may still be invalid. */
export function isWellFormedToken(text: string): boolean {
  if (!TOKEN_FORM.test(text)) {
    return false;
  }
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(body) === text.slice(-CHECKSUM_CHARACTERS);
}

/** SHA-256 of a secret, the only form in which one is stored. High entropy needs no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 36;
const CHECKSUM_CHARACTERS = 6;
const TOKEN_FORM =
  /^(?:svc_(?:live|test|sat|srt|scl|sct|oat|ort|oac|odc|ocs|inv|prt|evt|opt|act|wpl|wps)|ch)_[0-9A-Za-z]{42}$/;

/** Rejects bytes of 248 and above, so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) {
        text += BASE62[byte % 62];
      }
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
