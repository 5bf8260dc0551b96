import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'vitest';
import { certificate, listener, megabyte, open, openHttp2Session } from './listener-under-test.ts';

const handlers: Record<string, any> = {
  unread: (req: any, res: any) => {
    res.statusCode = 413;
    res.end('too large');
  },
  partial: async (req: any, res: any) => {
    let n = 0;
    try {
      for await (const c of req) {
        n += c.length;
        if (n > 20000) break;
      }
    } catch {}
    if (!res.writableEnded) {
      res.statusCode = 413;
      res.end('too large');
    }
  },
  listened: (req: any, res: any) => {
    req.once('data', () => {
      req.pause();
      res.statusCode = 413;
      res.end('too large');
    });
  },
};
for (const [name, handler] of Object.entries(handlers))
  for (const how of ['node', 'node-destroy', 'curl', 'nodewait']) {
    test(`${name} ${how}`, async () => {
      await open({ handler });
      let log = '';
      if (how === 'curl') {
        const { writeFileSync } = await import('node:fs');
        writeFileSync('/tmp/mb.bin', megabyte);
        writeFileSync('/tmp/ca.pem', certificate.caPem);
        const t0 = performance.now();
        log = await new Promise((r) =>
          execFile(
            'curl',
            [
              '-sS',
              '--http2',
              '-m',
              '5',
              '--cacert',
              '/tmp/ca.pem',
              '--resolve',
              `localhost:${listener.port}:127.0.0.1`,
              '-w',
              ' %{http_code} %{size_upload}',
              '--data-binary',
              '@/tmp/mb.bin',
              `https://localhost:${listener.port}/x`,
            ],
            (e, o, s) => r(o + s + (e?.code ?? '')),
          ),
        );
        log += ` curl took ${(performance.now() - t0) | 0}`;
      } else {
        const session = await openHttp2Session();
        const stream = session.request({ ':path': '/', ':method': 'POST' });
        stream.on('error', (e: any) => {
          log += ' err ' + e.code;
        });
        stream.on('close', () => {
          log += ' close ' + stream.rstCode;
        });
        stream.end(megabyte);
        const [h] = await Promise.race([
          once(stream, 'response'),
          new Promise<any>((r) => setTimeout(() => r([{ ':status': 'none' }]), 2000)),
        ]);
        log += h[':status'] + ' ';
        stream.on('data', (c: any) => {
          log += c;
        });
        await new Promise((r) => setTimeout(r, how === 'nodewait' ? 1500 : 100));
        if (how === 'node-destroy') session.destroy();
        else if (how === 'node') session.close();
        await new Promise((r) => setTimeout(r, 300));
      }
      const t = performance.now();
      await listener.close(5000);
      console.log(name, how, '|', log, '| close took', (performance.now() - t) | 0);
    }, 15000);
  }
