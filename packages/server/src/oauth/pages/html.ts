/** A piece of HTML that is safe to put into a page: external values are already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | false | readonly Html[];

/** Creates HTML from a template: every value is escaped unless it is HTML created by this function. */
export function html(pieces: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(pieces.reduce((text, piece, place) => text + render(values[place - 1]) + piece));
}

function render(value: Value): string {
  if (value === undefined || value === false) {
    return '';
  }
  if (value instanceof Html) {
    return value.text;
  }
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value));
}

/** Escapes for text and for attributes in either kind of quotation mark. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
