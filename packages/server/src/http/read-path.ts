import type { FastifyRequest } from 'fastify';

/** The path and the query of a URL. */
export function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

export const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Whether the path lacks a parameter, as in `/v1/projects/`. The router finds a route, but there is none. */
export function lacksParam({ params }: FastifyRequest): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

/** The parameters of the path, as the router read them. */
export function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  if (typeof request.params === 'object' && request.params !== null) {
    for (const [name, value] of Object.entries(request.params)) {
      params[name] = String(value);
    }
  }
  return params;
}
