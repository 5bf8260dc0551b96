/** The token of an Authorization header, if it has the Bearer scheme (RFC 6750 §2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > MAX_AUTHORIZATION) {
    return undefined;
  }
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
}

const MAX_AUTHORIZATION = 1024;
