import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { SEATHOLD_LOGO } from '../../src/oauth/pages/layout.ts';

type Element = DefaultTreeAdapterTypes.Element;

/**
 * Markup that none of our pages has, parsed as a browser parses it: escaped text is always text. Undefined if there is
 * none.
 */
export function findForeignMarkup(page: string): string | undefined {
  // The logo is the only drawing.
  return elementsOf(parse(page.replaceAll(SEATHOLD_LOGO, '')))
    .map(findForeign)
    .find((found) => found !== undefined);
}

function elementsOf(node: DefaultTreeAdapterTypes.ParentNode): Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

function findForeign({ tagName, attrs, namespaceURI }: Element): string | undefined {
  const own = OURS.get(tagName);
  if (own === undefined || namespaceURI !== 'http://www.w3.org/1999/xhtml') {
    return `<${tagName}>`;
  }
  const foreign = attrs.find(({ name }) => !own.has(name) && !ANYWHERE.has(name));
  if (foreign !== undefined) {
    return `${foreign.name} of <${tagName}>`;
  }
  // None of our other attributes leads anywhere.
  const leads = attrs.find(
    ({ name, value }) => ADDRESSES.has(name) && !OWN_ADDRESS.test(value) && !DASHBOARD.test(value),
  );
  return leads === undefined ? undefined : `<${tagName}> that leads to ${leads.value}`;
}

const OWN_ADDRESS = /^\/oauth(?:\/[\w-]+)*(?:\/|\.css)?(\?[\w=&.%-]*)?$/;
const DASHBOARD =
  /^https:\/\/(?:api\.test|(?:localhost|127\.0\.0\.1):\d+)\/(?:accept-invitation|login(?:\?next=%2Fstaff)?)?$/;

const ADDRESSES = new Set(['href', 'action']);

const ANYWHERE = new Set(['class', 'id', 'role', 'lang']);

/** The elements of our pages, with the attributes that each may have in addition to those that all may have. */
const OURS = new Map(
  Object.entries({
    html: [],
    head: [],
    meta: ['charset', 'name', 'content'],
    title: [],
    link: ['rel', 'href'],
    body: [],
    header: [],
    section: ['aria-label'],
    main: [],
    h1: [],
    h2: [],
    p: [],
    a: ['href'],
    b: [],
    strong: [],
    code: [],
    ul: [],
    li: [],
    dl: [],
    dt: [],
    dd: [],
    div: [],
    form: ['method', 'action'],
    fieldset: [],
    legend: [],
    label: ['for'],
    input: [
      'type',
      'name',
      'value',
      'required',
      'checked',
      'autofocus',
      'autocomplete',
      'inputmode',
      'minlength',
      'maxlength',
      'pattern',
      'spellcheck',
      'autocapitalize',
      'aria-describedby',
      'aria-invalid',
      'aria-errormessage',
    ],
    button: ['type'],
  }).map(([name, attributes]) => [name, new Set(attributes)]),
);
