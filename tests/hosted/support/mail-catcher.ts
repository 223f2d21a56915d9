/** An SMTP server on loopback that keeps what it is given: the mails that the product itself sends. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { CaughtMail } from '#tests/hosted/support/supabase-messages.ts';

export type MailCatcher = { smtpUrl: string; stop(): Promise<void> };

export async function startMailCatcher(caught: (mail: CaughtMail) => void): Promise<MailCatcher> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    converse(socket, caught);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function converse(socket: Socket, caught: (mail: CaughtMail) => void): void {
  let unread = '';
  let to = '';
  let message: string[] | null = null;
  const say = (line: string) => void socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (message === null) {
      if (/^DATA$/i.test(line)) {
        message = [];
        return say('354 go on');
      }
      to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to;
      return say(/^QUIT$/i.test(line) ? '221 bye' : '250 fine');
    }
    if (line !== '.') return void message.push(line.replace(/^\.\./, '.'));
    caught(readMessage(to, message.join('\r\n')));
    message = null;
    return say('250 taken');
  };
  say('220 here');
  socket.setEncoding('latin1').on('data', (text: string) => {
    unread += text;
    for (;;) {
      const end = unread.indexOf('\r\n');
      if (end === -1) return;
      const line = unread.slice(0, end);
      unread = unread.slice(end + 2);
      hear(line);
    }
  });
}

function readMessage(to: string, message: string): CaughtMail {
  const { header } = partOf(message);
  return { to, subject: decodedWords(header('Subject')), text: textOf(message), html: '' };
}

function partOf(message: string) {
  const [head = '', ...rest] = message.split('\r\n\r\n');
  const headers = head.trimStart().replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1] ?? '';
  return { header, body: rest.join('\r\n\r\n') };
}

/** The text of a message, or of the first part that is text. */
function textOf(message: string): string {
  const { header, body } = partOf(message);
  const boundary = /boundary="?([^";]+)/i.exec(header('Content-Type'))?.[1];
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1);
    return textOf(parts.find((part) => /^Content-Type: *text\/plain/im.test(part)) ?? '');
  }
  const encoding = header('Content-Transfer-Encoding').toLowerCase();
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

/** RFC 2045, section 6.7; answers bytes, one a character. */
const unquoted = (text: string) =>
  text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** RFC 2047. */
const decodedWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : Buffer.from(unquoted(word.replaceAll('_', ' ')), 'latin1').toString('utf8'),
    );
