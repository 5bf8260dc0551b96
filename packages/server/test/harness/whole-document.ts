/** An OpenAPI document as a client reads it, with every reference replaced by its target. */
export function wholeDocument<Document>(document: unknown): Document {
  const plain: unknown = JSON.parse(JSON.stringify(document));
  return inline(plain, plain) as Document;
}

function inline(document: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => inline(document, each));
  }
  if (!isObject(value)) {
    return value;
  }
  if (typeof value.$ref === 'string') {
    return inline(document, find(document, value.$ref));
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inline(document, child)]));
}

function find(document: unknown, reference: string): unknown {
  let found = document;
  for (const name of reference.split('/').slice(1)) {
    found = isObject(found) ? found[name] : undefined;
  }
  if (found === undefined) {
    throw new Error(`the document has no ${reference}`);
  }
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
