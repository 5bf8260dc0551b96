import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { expectData, expectFields, expectStatus, expectThat, Fault, show } from './expectations.ts';
import type { Probe } from './probe.ts';
import { isRecord, parseJson, pick, pickList, pickText } from './read-json.ts';
import { takeSeat } from './take-seat.ts';

const KEY_SET = '/.well-known/jwks.json';
const REVOCATIONS = '/.well-known/license-revocations.jwt';

/** Contract section 7: tokens that programs verify without a network. */
export const LICENSE_TOKENS: CheckGroup = {
  key: 'license-tokens',
  title: '§7 License tokens',
  checks: [
    {
      name: 'publishes its keys without a token, and without their private parts',
      run: async (probe) => {
        const answer = await probe.open('GET', KEY_SET);
        expectStatus(answer, 200);
        const keys = pickList(answer.body, 'keys');
        expectThat(answer, keys.length > 0, 'there is no key');
        for (const place of keys.keys()) {
          expectFields(answer, `keys.${place}`, {
            kty: /^RSA$/,
            kid: 'string',
            n: 'string',
            e: 'string',
            alg: /^RS256$/,
          });
          expectThat(answer, pick(keys[place], 'd') === undefined, 'a key has its private exponent');
        }
      },
    },
    {
      name: 'returns the public key as PEM and as JWK, which both match the key set',
      run: async (probe) => {
        const answer = await probe.call('GET', '/v1/licenses/public-key');
        expectData(answer, 200);
        expectFields(answer, 'data', PUBLIC_KEY);
        const pem = readKey(answer, () => createPublicKey(pickText(answer.body, 'data.public_key')));
        const jwk = readKey(answer, () => fromJwk(pick(answer.body, 'data.jwk')));
        const inSet = await findKey(probe, pickText(answer.body, 'data.key_id'));
        expectThat(answer, jwk.equals(pem), 'jwk and public_key are different keys');
        expectThat(answer, inSet.equals(pem), `${KEY_SET} has another key under the same kid`);
      },
    },
    {
      name: 'signs with RS256 and a published key, so that a program can verify offline',
      run: async (probe) => {
        const { answer } = await takeSeat(probe);
        const token = readToken(pickText(answer.body, 'data.license_token'), `${answer.what}: license_token`);
        expectThat(
          answer,
          pick(token.header, 'alg') === 'RS256',
          `the token's alg is ${show(pick(token.header, 'alg'))}`,
        );
        const key = await findKey(probe, pickText(token.header, 'kid'));
        expectThat(answer, isSignedBy(token, key), 'the signature of license_token is wrong');
      },
    },
    {
      name: 'names issuer, audience, user, session, license, and machine in the token',
      run: async (probe) => {
        const seat = await takeSeat(probe);
        const { claims } = readToken(pickText(seat.answer.body, 'data.license_token'), 'license_token');
        const key = await probe.call('GET', '/v1/licenses/public-key');
        const wanted = {
          iss: pick(key.body, 'data.issuer'),
          aud: pick(key.body, 'data.audience'),
          jti: seat.sessionId,
          lic: seat.licenseId,
          hw: seat.hardwareId,
          features: pick(seat.answer.body, 'data.features'),
        };
        for (const [claim, value] of Object.entries(wanted)) {
          const found = pick(claims, claim);
          const isSame = JSON.stringify(found) === JSON.stringify(value);
          expectThat(seat.answer, isSame, `the claim ${claim} is ${show(found)}, expected ${show(value)}`);
        }
        for (const claim of ['sub', 'org', 'product']) {
          expectThat(seat.answer, pickText(claims, claim) !== '', `the claim ${claim} is missing`);
        }
      },
    },
    {
      name: 'lets a token expire when the response says',
      run: async (probe) => {
        const { answer } = await takeSeat(probe);
        const { claims } = readToken(pickText(answer.body, 'data.license_token'), 'license_token');
        const [issued, from, ends] = ['iat', 'nbf', 'exp'].map((claim) => Number(pick(claims, claim)));
        const until = Math.floor(Date.parse(pickText(answer.body, 'data.expires_at')) / 1000);
        const now = Date.parse(pickText(answer.body, 'meta.timestamp')) / 1000;
        expectThat(answer, ends === until, `exp is ${ends}, but expires_at is ${until}`);
        expectThat(answer, Number(issued) <= now + 1 && Number(from) <= now + 1, 'iat or nbf is in the future');
        expectThat(answer, Number(ends) > now, 'the token has already expired');
      },
    },
    {
      name: 'publishes a signed list of revocations',
      run: async (probe) => {
        const answer = await probe.open('GET', REVOCATIONS);
        expectStatus(answer, 200);
        const token = readToken(answer.text.trim(), REVOCATIONS);
        expectThat(
          answer,
          pick(token.header, 'typ') === 'revocations+jwt',
          `typ is ${show(pick(token.header, 'typ'))}`,
        );
        const key = await findKey(probe, pickText(token.header, 'kid'));
        expectThat(answer, isSignedBy(token, key), 'the signature is wrong');
        expectThat(answer, Array.isArray(pick(token.claims, 'revoked')), 'revoked is not an array');
        expectThat(answer, Number(pick(token.claims, 'exp')) > Date.now() / 1000, 'the list has expired');
      },
    },
  ],
};

const PUBLIC_KEY = {
  algorithm: /^RS256$/,
  key_id: 'string',
  public_key: /^-----BEGIN PUBLIC KEY-----/,
  jwk: 'object',
  issuer: 'string',
  audience: 'string',
} as const;

interface Token {
  header: unknown;
  claims: unknown;
  signed: string;
  signature: Buffer;
}

function readToken(text: string, what: string): Token {
  const [header = '', claims = '', signature = ''] = text.split('.');
  const decode = (part: string) => parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  const token = { header: decode(header), claims: decode(claims) };
  if (!(isRecord(token.header) && isRecord(token.claims))) {
    throw new Fault(`${what} is not a JWT`);
  }
  return { ...token, signed: `${header}.${claims}`, signature: Buffer.from(signature, 'base64url') };
}

function isSignedBy({ signed, signature }: Token, key: KeyObject): boolean {
  return verify('RSA-SHA256', Buffer.from(signed), key, signature);
}

async function findKey(probe: Probe, kid: string): Promise<KeyObject> {
  const answer = await probe.open('GET', KEY_SET);
  const jwk = pickList(answer.body, 'keys').find((each) => pick(each, 'kid') === kid);
  expectThat(answer, jwk !== undefined, `there is no key with the kid ${show(kid)}`);
  return readKey(answer, () => fromJwk(jwk));
}

function fromJwk(jwk: unknown): KeyObject {
  const [n, e] = [pickText(jwk, 'n'), pickText(jwk, 'e')];
  return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
}

function readKey(answer: Answer, read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch (error) {
    throw new Fault(
      `${answer.what}: the key cannot be read (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}
