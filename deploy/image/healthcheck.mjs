import { request } from 'node:https';

// Ends with 0 when the service of this container is ready, for Docker's HEALTHCHECK. A worker answers on a port of its own.

const PORTS = [process.env.SEATHOLD_PORT || '8443', process.env.SEATHOLD_METRICS_PORT || '9464'];

for (const port of PORTS) {
  const outcome = await ask(port);
  if (outcome !== undefined) {
    console.log(outcome.text);
    process.exit(outcome.isReady ? 0 : 1);
  }
}
console.log(`nothing listens on ${PORTS.join(' or ')}`);
process.exit(1);

/** Undefined when nothing listens on the port. */
function ask(port) {
  const { promise, resolve } = Promise.withResolvers();
  // The certificate is for the names that clients use, not for this address.
  const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, timeout: 4_000 };
  const asked = request(options, async (answer) => {
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    resolve({ isReady: answer.statusCode === 200, text: `${answer.statusCode} ${text}` });
  });
  asked.on('timeout', () => asked.destroy(new Error('no answer within 4 seconds')));
  asked.on('error', (error) =>
    resolve(error.code === 'ECONNREFUSED' ? undefined : { isReady: false, text: error.message }),
  );
  asked.end();
  return promise;
}
