import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

// `npm run dev`: the service, started again when its code changes, and the dashboard with hot reload in front of its sandbox.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.env.SEATHOLD_DATA_DIR ?? `${root}data`;
const sandbox = process.env.SEATHOLD_SANDBOX_URL ?? `https://localhost:${process.env.SEATHOLD_SANDBOX_PORT ?? '8444'}`;

const service = spawn('node', ['--watch', 'packages/cli/bin/seathold.js', 'serve'], { cwd: root, stdio: 'inherit' });
service.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => service.kill(signal));
}

// The session's cookie needs HTTPS. The service makes the certificate at its first start.
const tls = { key: `${folder}/tls/server-key.pem`, cert: `${folder}/tls/server.pem` };
while (!existsSync(tls.cert)) {
  await sleep(200);
}
const vite = await createServer({
  root: `${root}packages/dashboard`,
  server: {
    port: 5173,
    strictPort: true,
    https: { key: readFileSync(tls.key), cert: readFileSync(tls.cert) },
    proxy: {
      // Whole segments: /oauth-apps is a screen.
      '^/(v1|oauth|docs|dashboard\\.json|\\.well-known)(?=[/?]|$)': {
        target: sandbox,
        secure: false,
        // The service accepts the cookie only with its own origin.
        headers: { origin: sandbox },
      },
    },
  },
});
await vite.listen();
vite.printUrls();
