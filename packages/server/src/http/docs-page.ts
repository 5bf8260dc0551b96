import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StoredDocument } from './documents/index.ts';

/** Scalar's own bundle from the installed package: the reference works without internet. One for all environments. */
export const DOCS_SCRIPT = new StoredDocument(
  { contentType: 'text/javascript; charset=utf-8', maxAgeSeconds: 3_600 },
  () => readFile(createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')),
);

/**
 * The configuration of the bundle. Everything that would contact another server is off: the chat, the editor and
 * sharing of Scalar's cloud, its client, fonts and telemetry, and its proxy, which would see a reader's token. The page
 * sends requests directly to this server.
 */
const CONFIGURATION = {
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  showToolbar: 'never',
  hideClientButton: true,
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  favicon: '/docs/favicon.svg',
};

/**
 * Leaves room for the button after a heading that copies its link. On a phone, it could make the page wider than the
 * screen.
 */
const STYLE = '.section-header { padding-right: 2rem }';

const DOCS_TEXT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Seathold API reference</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<noscript>The API reference requires JavaScript. The same content is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/docs/openapi.json" data-configuration='${JSON.stringify(CONFIGURATION)}'></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;

/** The bundle creates styles and evaluates templates at run time, but may not load anything from elsewhere. */
const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export const DOCS_PAGE = StoredDocument.of(
  { contentType: 'text/html; charset=utf-8', maxAgeSeconds: 300, headers: DOCS_HEADERS },
  DOCS_TEXT,
);

/** A seat in a square, readable on light and dark tabs. */
export const DOCS_ICON = StoredDocument.of(
  { contentType: 'image/svg+xml', maxAgeSeconds: 86_400 },
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M11 6h3v11h7a2 2 0 0 1 2 2v7h-3v-6h-6v6h-3z" fill="#fff"/></svg>\n`,
);
