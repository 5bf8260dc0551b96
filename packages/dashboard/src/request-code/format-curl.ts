/** The request that a call sends, without the token. */
export interface DescribedRequest {
  method: string;
  url: string;
  /** The organization in the request; only needed by staff who act for a customer. */
  organizationId: string | undefined;
  body: string | undefined;
}

/** A request as a command for a shell. The token comes from the environment. */
export function formatCurl({ method, url, organizationId, body }: DescribedRequest): string {
  const parts = [
    `${curlFor(url)} ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    '-H "Authorization: Bearer $SEATHOLD_TOKEN"',
    ...(organizationId === undefined ? [] : [`-H ${quote(`X-Organization-Id: ${organizationId}`)}`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/**
 * The command itself. On localhost, the service issues its own certificate, so curl has to trust its certificate
 * authority.
 */
export function curlFor(url: string): string {
  return new URL(url).hostname === 'localhost' ? 'curl --cacert data/tls/ca.pem' : 'curl';
}

/** Between single quotes, only the quote itself is special to a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
