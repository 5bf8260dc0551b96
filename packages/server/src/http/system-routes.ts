import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { ACCESS } from './access.ts';
import { StoredDocument } from './documents/index.ts';
import { type MetricsAccess, requireMetricsAccess } from './metrics-access.ts';
import { METRICS_TYPE, requireReadiness } from './probe-handler.ts';
import { defineRoute, type RequestContext, type Route } from './route.ts';

/** What the service tells of itself; handed in by app.ts. */
export interface SystemInformation extends MetricsAccess {
  /** Throws or answers a reason when requests would fail: the database is away, a migration is missing. */
  whyNotReady(): Promise<string | undefined>;
  /** Prometheus text. */
  metrics(): Promise<string>;
  /** The OpenAPI document as JSON. */
  openapi: Buffer;
}

/** Health, metrics and the API reference: no envelope, no token, never refused for want of room. */
export function systemRoutes(system: SystemInformation): Route[] {
  return [...probeRoutes(system), ...documentRoutes(system)];
}

function probeRoutes(system: SystemInformation): Route[] {
  return [
    textRoute(
      '/healthz',
      'getHealth',
      'Whether the process runs',
      async () => JSON.stringify({ status: 'ok' }),
      JSON_TYPE,
    ),
    textRoute(
      '/readyz',
      'getReadiness',
      'Whether requests can be served',
      async () => {
        await requireReadiness(system);
        return JSON.stringify({ status: 'ready' });
      },
      JSON_TYPE,
    ),
    textRoute(
      '/metrics',
      'getMetrics',
      'Prometheus metrics',
      async (context) => {
        requireMetricsAccess(system, context.headers, context.clientAddress);
        return system.metrics();
      },
      METRICS_TYPE,
    ),
  ];
}

function documentRoutes(system: SystemInformation): Route[] {
  const openapi = StoredDocument.of({ contentType: JSON_TYPE, maxAgeSeconds: 300 }, system.openapi);
  return [
    documentRoute('/v1/openapi.json', 'getOpenapi', 'This API as OpenAPI 3.1', openapi),
    documentRoute(AVATAR_PATH, 'getAvatar', 'The default avatar', AVATAR),
    documentRoute('/docs', 'getDocs', 'The API reference', DOCS_PAGE),
    documentRoute('/docs/scalar.js', 'getDocsScript', 'The script of the API reference', DOCS_SCRIPT),
  ];
}

function documentRoute(path: string, operationId: string, summary: string, document: StoredDocument): Route {
  return textRoute(path, operationId, summary, async () => document, document.description.contentType);
}

/** Where the picture is that stands for users who have set none. */
export const AVATAR_PATH = '/avatar.svg';

/** A neutral silhouette, in colours that can be told from a light and from a dark page. */
const AVATAR_IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="No picture">
<rect width="96" height="96" fill="#cbd5e1"/>
<circle cx="48" cy="37" r="17" fill="#64748b"/>
<path d="M14 96a34 34 0 0 1 68 0z" fill="#64748b"/>
</svg>
`;

/** Whoever opens the picture by itself opens a document, which may do nothing at all. */
const AVATAR_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const AVATAR = StoredDocument.of(
  { contentType: 'image/svg+xml', maxAgeSeconds: 86_400, headers: AVATAR_HEADERS },
  AVATAR_IMAGE,
);

/** What must be answered whoever asks how often; everything else counts like any request. */
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

/** Scalar's own bundle from the installed package: the reference works without internet. One for all environments. */
const DOCS_SCRIPT = new StoredDocument({ contentType: 'text/javascript; charset=utf-8', maxAgeSeconds: 3_600 }, () =>
  readFile(createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')),
);

const DOCS_TEXT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Seathold API reference</title>
</head>
<body>
<noscript>The reference needs JavaScript; the same content is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/v1/openapi.json" data-configuration='{"withDefaultFonts":false,"telemetry":false,"hideClientButton":true}'></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;

/** The bundle builds styles and evaluates templates as it runs; it may still load nothing from elsewhere. */
const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const DOCS_PAGE = StoredDocument.of(
  { contentType: 'text/html; charset=utf-8', maxAgeSeconds: 300, headers: DOCS_HEADERS },
  DOCS_TEXT,
);
