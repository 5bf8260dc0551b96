/** The content codings that documents are kept in, the smallest first; identity is as it is. */
const CODINGS = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof CODINGS)[number];

/**
 * The coding that a client likes best by its Accept-Encoding (RFC 9110 section 12.5.3), the smaller of two that it likes
 * alike. A client that accepts none gets the document as it is: that section asks for it, and a refusal helps nobody.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  const weights = new Map((acceptEncoding ?? '').split(',').flatMap(readWeight));
  const weigh = (coding: Coding) => {
    const named = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
    // Identity that is not named is acceptable, but anything that is named is liked better.
    return named ?? weights.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0);
  };
  const [first, ...others] = CODINGS;
  const best = others.reduce<Coding>((chosen, coding) => (weigh(coding) > weigh(chosen) ? coding : chosen), first);
  return weigh(best) > 0 ? best : 'identity';
}

/** `gzip;q=0.5` as its name and weight; none when it is malformed. */
function readWeight(text: string): Array<[string, number]> {
  const [, name = '', weight = '1'] = WEIGHTED.exec(text) ?? [];
  return name === '' ? [] : [[name.toLowerCase(), Number(weight)]];
}

const WEIGHTED = /^[\t ]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]*(?:;[\t ]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/;
