// Signs with RS256 on one thread for as many seconds as the argument says, and prints signatures per second and the
// milliseconds of processor time that one of them took.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** About as long as the header and claims of a license token. */
const content = randomBytes(600);
const lastsMs = Number(process.argv[2]) * 1000;
for (let warm = 0; warm < 500; warm += 1) {
  sign('sha256', content, privateKey);
}
const startMs = performance.now();
const before = process.cpuUsage();
let count = 0;
while (performance.now() - startMs < lastsMs) {
  sign('sha256', content, privateKey);
  count += 1;
}
const perSecond = (count * 1000) / (performance.now() - startMs);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ perSecond, processorMs: (user + system) / 1000 / count })}\n`);
