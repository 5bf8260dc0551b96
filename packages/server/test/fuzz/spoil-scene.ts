import type { OauthWorld, Pair, Scene } from './oauth-scenes.ts';
import { FURTHER_PARAMETERS, REDIRECT_TRAPS } from './odd-parameters.ts';
import { oddText } from './odd-values.ts';
import type { Random } from './random.ts';
import type { RawRequest } from './raw-connection.ts';

/** The request of a scene in the form that should succeed. */
export function goodRequest({ method, path, query, form, headers }: Scene): RawRequest {
  return {
    method,
    target: path + (query.length === 0 ? '' : `?${encodePairs(query)}`),
    headers: form === undefined ? headers : [...headers, FORM_TYPE],
    body: form === undefined ? undefined : Buffer.from(encodePairs(form), 'latin1'),
    isChunked: false,
  };
}

/** The same, with one or two odd parts. */
export function spoilRequest(random: Random, scene: Scene, world: OauthWorld): RawRequest {
  let query = encodePairs(scene.query);
  let form = scene.form === undefined ? undefined : encodePairs(scene.form);
  let { method, path } = scene;
  let headers: readonly Pair[] = scene.headers;
  let types: readonly Pair[] = form === undefined ? [] : [FORM_TYPE];
  const spoil: ReadonlyArray<() => void> = [
    () => {
      query = spoilPairs(random, scene.query, world);
      form = scene.form === undefined ? undefined : spoilPairs(random, scene.form, world);
    },
    () => {
      headers = spoilHeaders(random, headers);
    },
    () => {
      types = random.pick(ODD_TYPES);
      form ??= random.chance(0.3) ? 'a=b' : undefined;
    },
    () => {
      method = random.pick(METHODS);
    },
    () => {
      path = random.pick(ODD_PATHS)(path);
    },
    () => {
      form = random.pick(ODD_BODIES)(form ?? '');
      types = [FORM_TYPE];
    },
  ];
  // Parameters are where most of the meaning is.
  for (let times = random.chance(0.25) ? 2 : 1; times > 0; times -= 1) {
    (random.chance(0.6) ? spoil[0] : random.pick(spoil))?.();
  }
  const body = form === undefined ? undefined : Buffer.from(form, 'latin1');
  const isChunked = body !== undefined && random.chance(0.1);
  return { method, target: path + (query === '' ? '' : `?${query}`), headers: [...headers, ...types], body, isChunked };
}

const FORM_TYPE: Pair = ['Content-Type', 'application/x-www-form-urlencoded'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** In the encoding of forms and queries, one character per byte. */
function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

function spoilPairs(random: Random, pairs: readonly Pair[], world: OauthWorld): string {
  const place = random.below(Math.max(1, pairs.length));
  const [name, value] = pairs[place] ?? ['x', 'y'];
  const others = pairs.filter((_, at) => at !== place);
  const rest = encodePairs(others);
  const spoiled: ReadonlyArray<() => string> = [
    () => '',
    () => `${encode(name)}=${encode(value)}&${encode(name)}=${encode(value)}`,
    () => `${encode(name)}=${encode(value)}&${encode(name)}=${encode(oddText(random).slice(0, 2_000))}`,
    () => `${encode(name)}[]=${encode(value)}`,
    () => `${encode(name)}[a][b]=${encode(value)}`,
    () => `${encode(name)}%00=${encode(value)}`,
    () => `${encode(name.toUpperCase())}=${encode(value)}`,
    () => encode(name),
    () => `${encode(name)}=`,
    () => `${encode(name)}=${random.pick(ODD_ENCODED)}`,
    () => `${encode(name)}=${random.pick(ODD_ENCODED)}${encode(value)}`,
    () => `${encode(name)}=${encode(value)}${random.pick(ODD_ENCODED)}`,
    () => `${encode(name)}=${encode(oddText(random).slice(0, random.chance(0.9) ? 3_000 : 70_000))}`,
    () => `${encode(name)}=${encode(value).toLowerCase()}`,
    () => `${encode(name)}=${encode(random.pick(REDIRECT_TRAPS))}`,
    () => `redirect_uri=${encode(random.pick(REDIRECT_TRAPS))}`,
    () => `client_id=${encode(random.pick([world.foreign.clientId, world.phone.clientId, 'app_0', 'app\0', ' ']))}`,
    () => `client_secret=${encode(world.foreign.clientSecret ?? '')}`,
  ];
  const further = () => encodePairs([random.pick(FURTHER_PARAMETERS)]);
  const own = `${encode(name)}=${encode(value)}`;
  const odd = random.chance(0.3) ? `${own}&${further()}` : random.pick(spoiled)();
  const all = [rest, odd].filter((part) => part !== '');
  return (random.chance(0.5) ? all : all.reverse()).join('&');
}

const ODD_ENCODED = [
  '%',
  '%zz',
  '%0',
  '%00',
  '%C0%80',
  '%ED%A0%80',
  '%FF',
  '\xff',
  '+',
  '%20',
  '%0d%0aX-Evil:%201',
  '%F0%9F%92%A9',
  '%EF%BB%BF',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '%22%3E%3Cimg%20src=x%3E',
  '{"$ne":null}',
  '[object%20Object]',
  'x'.repeat(6_000),
];

function spoilHeaders(random: Random, headers: readonly Pair[]): readonly Pair[] {
  const cookie = headers.find(([name]) => name === 'Cookie')?.[1] ?? 'a=b';
  const others = headers.filter(([name]) => name !== 'Cookie');
  if (random.chance(0.5)) {
    return [...others, ['Cookie', random.pick(ODD_COOKIES)(cookie)]];
  }
  const odd = random.pick(ODD_HEADERS);
  return [...headers.filter(([name]) => name !== odd[0]), odd];
}

const ODD_COOKIES: ReadonlyArray<(cookie: string) => string> = [
  () => '',
  () => ';;;=;',
  () => '__proto__=x; constructor=y',
  () => '\xff\xfe=\x80',
  (cookie) => cookie.replaceAll(/\.sig=./g, '.sig=~'),
  (cookie) => cookie.replaceAll(/=[\w-]{5}/g, '=AAAAA'),
  (cookie) => cookie.replaceAll(/; [^;]*\.sig=[^;]*/g, ''),
  (cookie) => `${cookie}; ${cookie.split('; ')[0]}x`,
  (cookie) => `${cookie}; ${'a=b; '.repeat(500)}`,
  (cookie) => cookie.replaceAll(/=([^;]*)/g, '="$1"'),
  (cookie) => cookie.replaceAll(/=([^;]*)/g, '=%00$1'),
  (cookie) => `${cookie.split(';')[0]}=${'x'.repeat(3_000)}`,
];

const basic = (text: string): Pair => ['Authorization', `Basic ${Buffer.from(text, 'latin1').toString('base64')}`];

const ODD_HEADERS: readonly Pair[] = [
  basic('app_0'),
  basic(':'),
  basic('app_0:%zz'),
  basic('app_0:\x00'),
  basic('%00:\xff'),
  basic(`app_0:${'x'.repeat(5_000)}`),
  ['Authorization', 'Basic'],
  ['Authorization', 'Basic ====='],
  ['Authorization', 'Bearer svc_sat_x'],
  ['Authorization', ''],
  ['Origin', 'https://evil.example'],
  ['Origin', 'https://console.example'],
  ['Origin', '\xff'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'none'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-For', ', ,::1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', 'forged'],
  ['Accept', 'application/json;q=0, */*;q=0'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', '*;q=0'],
  ['Content-Encoding', 'gzip'],
  ['DPoP', 'x.y.z'],
  ['DPoP', 'a, b'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-1'],
  ['Upgrade', 'h2c'],
  ['Expect', 'the-unexpected'],
  ['__proto__', 'x'],
];

const ODD_TYPES: ReadonlyArray<readonly Pair[]> = [
  [],
  [['Content-Type', '']],
  [['Content-Type', 'application/json']],
  [['Content-Type', 'text/plain']],
  [['Content-Type', 'multipart/form-data; boundary=x']],
  [['Content-Type', 'application/x-www-form-urlencoded; charset=utf-16']],
  [['Content-Type', 'application/x-www-form-urlencoded;charset="utf-8"']],
  [['Content-Type', 'APPLICATION/X-WWW-FORM-URLENCODED']],
  [['Content-Type', 'application/x-www-form-urlencoded, text/plain']],
  [['Content-Type', '\xff']],
];

const ODD_PATHS: ReadonlyArray<(path: string) => string> = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `${path}/..`,
  (path) => `${path}/%2e%2e/token`,
  (path) => `${path};a=b`,
  (path) => `http://api.test${path}`,
  (path) => `http://evil.example${path}`,
  (path) => path.replace(/[^/]*$/, '%zz'),
  (path) => path.replace(/[^/]*$/, 'x'.repeat(5_000)),
  (path) => path.replace('/oauth', '/oauth/'),
  (path) => `${path}/login`,
  (path) => `${path}/more/and/more`,
  () => '/oauth',
  () => '/oauth/',
  () => '/oauth/interaction/',
  () => '/oauth/interaction/x',
  () => '/oauth/interaction/x/allow',
  () => '/oauth/authorize/x',
  () => '/oauth/authorize/%00',
  () => '/oauth/token/x',
  () => '/oauth/session/end',
  () => '/oauth/jwks',
  () => '/oauth/me',
  () => '/oauth/reg',
  () => '/.well-known/openid-configuration',
  () => '/oauth/.well-known/openid-configuration',
];

const ODD_BODIES: ReadonlyArray<(form: string) => string> = [
  () => '',
  () => '&&&',
  () => '=',
  () => '{}',
  () => '\xff\xfe\x00',
  () => 'a=b&'.repeat(3_000),
  () => 'a[]=b&'.repeat(2_000),
  (form) => `${form}&${form}`,
  (form) => `\ufeff${form}`.replaceAll('\ufeff', '\xef\xbb\xbf'),
  (form) => form.replaceAll('&', ';'),
  (form) => `${form}&x=${'y'.repeat(17_000)}`,
  (form) => `${form}&x=${'y'.repeat(60_000)}`,
  (form) => `${form}&x=${'y'.repeat(300_000)}`,
  (form) => form.slice(0, Math.floor(form.length / 2)),
];
