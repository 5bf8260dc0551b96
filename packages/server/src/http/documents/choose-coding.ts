/** The content codings of stored documents, the smallest first; identity is uncompressed. */
const CODINGS = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof CODINGS)[number];

/**
 * The coding that a client prefers by its Accept-Encoding (RFC 9110 section 12.5.3); of equals, the smaller. A client
 * that accepts none gets the document uncompressed, as that section recommends.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  const weights = new Map((acceptEncoding ?? '').split(',').flatMap(readWeight));
  const weigh = (coding: Coding) => {
    const named = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
    // Identity is acceptable even if not named, but named codings are preferred.
    return named ?? weights.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0);
  };
  const [first, ...others] = CODINGS;
  const best = others.reduce<Coding>((chosen, coding) => (weigh(coding) > weigh(chosen) ? coding : chosen), first);
  return weigh(best) > 0 ? best : 'identity';
}

/** Parses `gzip;q=0.5` into name and weight; none if malformed. */
function readWeight(text: string): Array<[string, number]> {
  const [, name = '', weight = '1'] = WEIGHTED.exec(text) ?? [];
  return name === '' ? [] : [[name.toLowerCase(), Number(weight)]];
}

const WEIGHTED = /^[\t ]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]*(?:;[\t ]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/;
