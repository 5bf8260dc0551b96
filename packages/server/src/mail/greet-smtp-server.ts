import { connect as connectInTheClear, isIP, type Socket } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { describeFailure, nameFailure } from './retry-rules.ts';
import type { SmtpServer } from './smtp-transport.ts';

/**
 * Connects and waits for the greeting, without login or mail; returns why there was none in time, or undefined on
 * success.
 */
export function findGreetingFault(server: SmtpServer, limitMs = 5_000): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(server);
    const end = (fault: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(fault);
    };
    const timer = setTimeout(() => end(`no greeting within ${limitMs / 1_000} s`), limitMs);
    let said = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      said = (said + chunk).slice(-MAX_CHARACTERS);
      // A greeting may have many lines; the last of them has no hyphen (RFC 5321 section 4.2.1).
      const [line, status] = /^(\d{3})(?: [^\n]*)?\r?\n/m.exec(said) ?? [];
      if (line !== undefined) {
        end(status === '220' ? undefined : describeFailure(`it said ${line.trim()}`));
      }
    });
    // If a name has several addresses, their combined error only has a code.
    socket.on('error', (error) => end(error.message === '' ? nameFailure(error) : describeFailure(error)));
    socket.on('close', () => end('the connection was closed before the greeting'));
  });
}

const MAX_CHARACTERS = 4_096;

function connect({ host, port, secure }: SmtpServer): Socket {
  // Certificates are checked as for mails.
  return secure
    ? connectByTls({
        host,
        port,
        servername: isIP(host) === 0 ? host : '',
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
      })
    : connectInTheClear({ host, port });
}
