export { entityTagOf, isNoneMatch } from './entity-tags.ts';
export { sendDocument } from './send-document.ts';
export { StoredDocument } from './stored-document.ts';
