import { Html, html } from './html.ts';

/** What a page consists of. */
export interface Page {
  title: string;
  body: Html;
  /** An error about the submitted form, announced immediately. */
  alert?: string | undefined;
}

/** What the pages of one environment have in common. */
export interface PageSite {
  /** The path of the issuer, for example /oauth. All pages and the style sheet are below it. */
  basePath: string;
  /** The service's name for customers. */
  productName: string;
  brand: { logoUrl: string; color: string };
  /** Where people continue after a page is done. */
  dashboardUrl: string;
  /** Whether the pages are labeled as the sandbox's, so that the environments are not confused. */
  isSandbox: boolean;
}

/** A complete page, without scripts. */
export function layout(site: PageSite, page: Page): string {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.alert === undefined ? '' : 'Error: '}${page.title} – ${site.productName}${site.isSandbox && ' sandbox'}</title>
<link rel="stylesheet" href="${site.basePath}/assets/style.css">
</head>
<body>
${site.isSandbox && html`<section class="environment" aria-label="Sandbox"><strong>Sandbox</strong> Its accounts are its own, and no money moves.</section>`}
<header><p class="brand">${logo(site)} ${site.productName}</p></header>
<main>
<h1>${page.title}</h1>
${page.alert !== undefined && html`<p class="alert" role="alert" id="alert">${page.alert}</p>`}
${page.body}
</main>
</body>
</html>
`.text;
}

/** The name is next to it, so it is hidden from screen readers. Seathold's own logo need not be loaded. */
function logo({ brand }: PageSite): Html {
  return brand.logoUrl === '' ? new Html(SEATHOLD_LOGO) : html`<img src="${brand.logoUrl}" alt="" height="32">`;
}

export const SEATHOLD_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M11 6h3v11h7a2 2 0 0 1 2 2v7h-3v-6h-6v6h-3z" fill="#fff"/></svg>';

/** The link to continue from a finished page. */
export function wayOn(site: PageSite, { label, path }: { label: string; path: string }): Html {
  return html`<p><a class="button" href="${site.dashboardUrl}${path}">${label}</a></p>`;
}

/** One labelled field. */
export function field(input: {
  label: string;
  name: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  isWrong?: boolean;
  inputmode?: 'numeric' | 'email';
  /** A short code in capitals. */
  isCode?: boolean;
}): Html {
  const { label, name, type, autocomplete, value, hint, isWrong = false, inputmode, isCode = false } = input;
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? ['alert'] : [])].join(' ');
  const attributes = [
    html`id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required`,
    value !== undefined && value !== '' && html` value="${value}"`,
    inputmode !== undefined && html` inputmode="${inputmode}"`,
    type !== 'password' && html` autocapitalize="${isCode ? 'characters' : 'none'}" spellcheck="false"`,
    isCode && html` class="code"`,
    described !== '' && html` aria-describedby="${described}"`,
    isWrong && html` aria-invalid="true"`,
  ].filter((attribute) => attribute !== false);
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input ${attributes}>
</div>`;
}
