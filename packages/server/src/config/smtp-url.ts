/** A parsed SMTP URL. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
}

/** Reads smtp://host:port or smtps://user:password@host:port. */
export function parseSmtpUrl(text: string): { value: SmtpServer } | { problem: string } {
  const parsed = URL.parse(text);
  const host = parsed?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const user = decode(parsed?.username);
  const password = decode(parsed?.password);
  const isSound =
    parsed !== null &&
    ['smtp:', 'smtps:'].includes(parsed.protocol) &&
    /^[A-Za-z0-9.:_-]+$/.test(host) &&
    ['', '/'].includes(parsed.pathname) &&
    `${parsed.search}${parsed.hash}` === '' &&
    parsed.port !== '0' &&
    user !== undefined &&
    password !== undefined &&
    (user === '') === (password === '');
  if (!isSound) {
    return {
      problem:
        'must look like smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start (user and password percent-encoded, both or neither)',
    };
  }
  const secure = parsed.protocol === 'smtps:';
  return {
    value: {
      host,
      port: parsed.port === '' ? (secure ? 465 : 587) : Number(parsed.port),
      secure,
      user: user === '' ? undefined : user,
      password: password === '' ? undefined : password,
    },
  };
}

/** Undefined if it is not percent-encoded, or contains a line break. */
function decode(text = ''): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
