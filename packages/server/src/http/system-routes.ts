import { Type } from 'typebox';
import { ACCESS } from './access.ts';
import { DOCS_ICON, DOCS_PAGE, DOCS_SCRIPT } from './docs-page.ts';
import { StoredDocument } from './documents/index.ts';
import { type MetricsAccess, requireMetricsAccess } from './metrics-access.ts';
import { METRICS_TYPE, requireReadiness } from './probe-handler.ts';
import { defineRoute, type RequestContext, type Route } from './route.ts';

/** What the service reports about itself; injected by app.ts. */
export interface SystemInformation extends MetricsAccess {
  /** Throws or returns a reason if requests would fail: the database is down, or a migration is missing. */
  whyNotReady(): Promise<string | undefined>;
  /** Prometheus text. */
  metrics(): Promise<string>;
  /** The OpenAPI document, for clients and for the page of the reference. */
  openapi: OpenapiDocuments;
}

/** Health, metrics and the API reference: no envelope, no token, never refused for lack of capacity. */
export function systemRoutes(system: SystemInformation): Route[] {
  return [...probeRoutes(system), ...documentRoutes(system)];
}

function probeRoutes(system: SystemInformation): Route[] {
  return [
    textRoute(
      '/healthz',
      'getHealth',
      'Check whether the process is running',
      async () => JSON.stringify({ status: 'ok' }),
      JSON_TYPE,
    ),
    textRoute(
      '/readyz',
      'getReadiness',
      'Check whether requests can be served',
      async () => {
        await requireReadiness(system);
        return JSON.stringify({ status: 'ready' });
      },
      JSON_TYPE,
    ),
    textRoute(
      '/metrics',
      'getMetrics',
      'Get Prometheus metrics',
      async (context) => {
        requireMetricsAccess(system, context.headers, context.clientAddress);
        return system.metrics();
      },
      METRICS_TYPE,
    ),
  ];
}

export interface OpenapiDocuments {
  forClients: StoredDocument;
  /** The page hides everything marked as internal, which includes the webhooks. See describe-webhook.ts. */
  forReaders: StoredDocument;
}

/** Stored only as the served bytes: as an object and a text it would take several times as much memory. */
export function openapiDocuments(describeApi: () => Readonly<Record<string, unknown>>): OpenapiDocuments {
  const store = (replacer?: (key: string, value: unknown) => unknown) =>
    new StoredDocument({ contentType: JSON_TYPE, maxAgeSeconds: 300 }, async () =>
      Buffer.from(JSON.stringify(describeApi(), replacer)),
    );
  return {
    forClients: store(),
    forReaders: store((key, value) => (key === 'x-internal' ? undefined : value)),
  };
}

function documentRoutes({ openapi }: SystemInformation): Route[] {
  return [
    documentRoute('/v1/openapi.json', 'getOpenapi', 'Get this API as an OpenAPI 3.1 document', openapi.forClients),
    documentRoute(AVATAR_PATH, 'getAvatar', 'Get the default avatar', AVATAR),
    documentRoute('/docs', 'getDocs', 'Get the API reference', DOCS_PAGE),
    documentRoute('/docs/openapi.json', 'getDocsOpenapi', 'Get what the API reference shows', openapi.forReaders),
    documentRoute('/docs/scalar.js', 'getDocsScript', 'Get the script of the API reference', DOCS_SCRIPT),
    documentRoute('/docs/favicon.svg', 'getDocsIcon', 'Get the icon of the API reference', DOCS_ICON),
  ];
}

function documentRoute(path: string, operationId: string, summary: string, document: StoredDocument): Route {
  return textRoute(path, operationId, summary, async () => document, document.description.contentType);
}

/** The default picture of users. */
export const AVATAR_PATH = '/avatar.svg';

/** A neutral silhouette, in colors that are visible on a light and on a dark page. */
const AVATAR_IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="No picture">
<rect width="96" height="96" fill="#cbd5e1"/>
<circle cx="48" cy="37" r="17" fill="#64748b"/>
<path d="M14 96a34 34 0 0 1 68 0z" fill="#64748b"/>
</svg>
`;

/** A picture opened directly in a browser is a document, which may do nothing. */
const AVATAR_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const AVATAR = StoredDocument.of(
  { contentType: 'image/svg+xml', maxAgeSeconds: 86_400, headers: AVATAR_HEADERS },
  AVATAR_IMAGE,
);

/** Paths that are always answered, regardless of limits; everything else counts like any request. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const JSON_TYPE = 'application/json; charset=utf-8';

function textRoute(
  path: string,
  operationId: string,
  summary: string,
  read: (context: RequestContext) => Promise<string | StoredDocument>,
  contentType: string,
): Route {
  return defineRoute({
    method: 'GET',
    path,
    operationId,
    tag: 'System',
    summary,
    access: ACCESS.public,
    neverRefused: PROBES.has(path),
    isInternal: true,
    status: 200,
    response: Type.String(),
    raw: contentType,
    errors: {},
    handle: async (context) => ({ data: await read(context) }),
  });
}
