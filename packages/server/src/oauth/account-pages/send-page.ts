import type { Exchange } from '../../http/index.ts';
import type { PageSite } from '../pages/layout.ts';
import { pageHeaders } from '../pages/page-headers.ts';

/** The response to a form. */
export interface PageAnswer {
  status: number;
  page: string;
}

/** Answers with a page. */
export function sendPage(site: PageSite, exchange: Exchange, { status, page }: PageAnswer): void {
  const text = exchange.request.method === 'HEAD' ? '' : page;
  exchange.send(status, HTML, text, pageHeaders({ logoUrl: site.brand.logoUrl }));
}

/** Redirects a browser to one of our addresses, by GET. */
export function sendOn(exchange: Exchange, location: string): void {
  exchange.send(303, HTML, '', { ...pageHeaders(), location });
}

const HTML = 'text/html; charset=utf-8';
