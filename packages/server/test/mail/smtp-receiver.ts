import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What the receiver does with a mail. */
export type SmtpBehaviour =
  | 'accept'
  | 'defer' // 451 to the recipient
  | 'refuse' // 550 5.1.1 to the recipient
  | 'deny' // 550 5.7.1 to the recipient
  | 'quote' // 554 after the mail, quoting all of it
  | 'drop' // the connection ends after the mail, without an answer
  | 'hang' // not a word
  | 'babble'; // a greeting that never ends

/** A small SMTP server that remembers what it received. */
export interface SmtpReceiver {
  port: number;
  behaviour: SmtpBehaviour;
  /** Every mail that arrived completely, whether answered or not. */
  received: Array<{ recipient: string; data: string }>;
  /** Every line that it received outside of mails. */
  commands: string[];
  /** The highest number of simultaneous connections. */
  mostAtOnce: number;
  close(): Promise<void>;
}

/** Listens on all addresses of this machine. Offers STARTTLS if given a certificate. */
export async function receiveMails(tls?: { cert: string; key: string }): Promise<SmtpReceiver> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, sockets.size);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    greet(socket, receiver, tls);
  });
  const receiver: SmtpReceiver = {
    port: 0,
    behaviour: 'accept',
    received: [],
    commands: [],
    mostAtOnce: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  const address = server.address();
  receiver.port = typeof address === 'object' && address !== null ? address.port : 0;
  return receiver;
}

function greet(socket: Socket, receiver: SmtpReceiver, tls?: { cert: string; key: string }): void {
  if (receiver.behaviour === 'hang') {
    socket.resume();
    return;
  }
  if (receiver.behaviour === 'babble') {
    const babble = setInterval(() => socket.write('220-welcome\r\n'), 10);
    socket.on('close', () => clearInterval(babble)).resume();
    return;
  }
  socket.write('220 test ESMTP\r\n');
  converse(socket, receiver, tls);
}

function converse(socket: Socket, receiver: SmtpReceiver, tls?: { cert: string; key: string }): void {
  const talk: Conversation = { receiver, tls, unread: '', recipient: '', inData: false };
  socket.on('error', () => undefined);
  socket.on('data', function take(chunk) {
    talk.unread += chunk.toString('latin1');
    for (let said = next(talk); said !== undefined; said = next(talk)) {
      if (answer(socket, talk, said) === 'TLS') {
        socket.off('data', take).write('220 go on\r\n');
        converse(new TLSSocket(socket, { isServer: true, ...tls }), receiver);
        return;
      }
    }
  });
}

interface Conversation {
  receiver: SmtpReceiver;
  tls: { cert: string; key: string } | undefined;
  unread: string;
  recipient: string;
  inData: boolean;
}

/** The next line, or the whole mail if one is due, once it has arrived. */
function next(talk: Conversation): string | undefined {
  const mark = talk.inData ? '\r\n.\r\n' : '\r\n';
  const end = talk.unread.indexOf(mark);
  const said = end < 0 ? undefined : talk.unread.slice(0, end);
  talk.unread = end < 0 ? talk.unread : talk.unread.slice(end + mark.length);
  return said;
}

function answer(socket: Socket, talk: Conversation, said: string): 'TLS' | undefined {
  const { receiver } = talk;
  if (talk.inData) {
    talk.inData = false;
    receiver.received.push({ recipient: talk.recipient, data: `${said.replaceAll('\r\n..', '\r\n.')}\r\n` });
    answerMail(socket, receiver.behaviour, said);
    return undefined;
  }
  receiver.commands.push(said);
  if (/^STARTTLS$/i.test(said) && talk.tls !== undefined) {
    return 'TLS';
  }
  talk.recipient = /^RCPT TO:<(.*)>/i.exec(said)?.[1] ?? talk.recipient;
  talk.inData = answerCommand(socket, receiver.behaviour, said, talk.tls !== undefined);
  return undefined;
}

function answerMail(socket: Socket, behaviour: SmtpBehaviour, mail: string): void {
  if (behaviour === 'drop') {
    socket.destroy();
    return;
  }
  const quoted = mail.replace(/[\r\n]+/g, ' ');
  socket.write(behaviour === 'quote' ? `554 5.6.0 not this: ${quoted}\r\n` : '250 2.0.0 taken\r\n');
}

/** Returns whether a mail comes next. */
function answerCommand(socket: Socket, behaviour: SmtpBehaviour, command: string, offersTls: boolean): boolean {
  const verb = command.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
  const answers: Record<string, string> = {
    EHLO: `250-test\r\n${offersTls ? '250-STARTTLS\r\n' : ''}250-AUTH PLAIN LOGIN\r\n250 SMTPUTF8`,
    AUTH: '235 2.7.0 welcome',
    MAIL: '250 2.1.0 ok',
    RCPT: RECIPIENT_ANSWERS[behaviour] ?? '250 2.1.5 ok',
    DATA: '354 go on',
    QUIT: '221 bye',
  };
  socket.write(`${answers[verb] ?? '502 5.5.1 what?'}\r\n`);
  return verb === 'DATA';
}

const RECIPIENT_ANSWERS: Partial<Record<SmtpBehaviour, string>> = {
  defer: '451 4.3.0 later, please',
  refuse: '550 5.1.1 no such user',
  deny: '550 5.7.1 relaying denied',
};
