export { createRequestRecords } from './create-request-records.ts';
