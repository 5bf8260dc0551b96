import type { Exchange } from '../../http/index.ts';
import type { PageSite } from '../pages/layout.ts';
import { pageHeaders } from '../pages/page-headers.ts';

/** What a form of a page is answered. */
export interface PageAnswer {
  status: number;
  page: string;
}

/** Answers with a page. */
export function sendPage(site: PageSite, exchange: Exchange, { status, page }: PageAnswer): void {
  const text = exchange.request.method === 'HEAD' ? '' : page;
  exchange.send(status, HTML, text, pageHeaders({ logoUrl: site.brand.logoUrl }));
}

/** Sends a browser on to an address of ours, by GET. */
export function sendOn(exchange: Exchange, location: string): void {
  exchange.send(303, HTML, '', { ...pageHeaders(), location });
}

const HTML = 'text/html; charset=utf-8';
