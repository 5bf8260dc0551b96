/** One part of a mail: its headers by lower-case name, unfolded and decoded, and its text. */
export interface ReadPart {
  headers: ReadonlyMap<string, string>;
  text: string;
}

/** Reads a mail like a mail program (RFC 5322, 2045, 2047), as far as our mails require. */
export function readMail(raw: string): { headers: ReadonlyMap<string, string>; parts: ReadPart[] } {
  const { headers, body } = splitHead(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const inner = splitHead(part.replace(/^\r\n/, ''));
      const isQuoted = inner.headers.get('content-transfer-encoding') === 'quoted-printable';
      return { headers: inner.headers, text: isQuoted ? decodeQuotedPrintable(inner.body) : inner.body };
    });
  return { headers, parts };
}

function splitHead(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || headers.has(name)) {
      throw new Error(`a header that is none, or one twice: ${line}`);
    }
    headers.set(name, decodeWords(line.slice(colon + 1).trim()));
  }
  return { headers, body: raw.slice(end + 4) };
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(?:=\?utf-8\?[QB]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi)].map(([, encoding, text = '']) =>
          encoding?.toUpperCase() === 'B'
            ? Buffer.from(text, 'base64')
            : Buffer.from(unescapeBytes(text.replaceAll('_', ' ')), 'latin1'),
        ),
      ).toString('utf8'),
    );
}

function decodeQuotedPrintable(body: string): string {
  return Buffer.from(unescapeBytes(body.replace(/=\r\n/g, '')), 'latin1').toString('utf8');
}

function unescapeBytes(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
