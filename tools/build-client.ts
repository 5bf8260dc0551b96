import { resolve } from 'node:path';
import { buildClient } from './client-package/build-client.ts';

// `npm run build:client` builds the npm package of the client. `npm pack ./packages/client/dist` makes its archive.

const folder = resolve(import.meta.dirname, '../packages/client/dist');
buildClient(folder);
console.log(`Built @seathold/client in ${folder}`);
