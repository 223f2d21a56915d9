import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createSmtpMailer } from '#app/platform/mail.server.ts';

it('sends by SMTP, and nothing in a subject begins a header or turns the words beside it', async () => {
  const said: string[] = [];
  let inData = false;
  const server = createServer((socket) => {
    socket.setEncoding('utf8').write('220 here\r\n');
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        said.push(line);
        if (inData) {
          if (line !== '.') continue;
          inData = false;
          socket.write('250 taken\r\n');
        } else if (line === 'DATA') {
          inData = true;
          socket.write('354 go on\r\n');
        } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${address.port}`, 'https://quorate.example');
  await mailer.send({ to: 'ada@example.com', subject: 'Hello\u202E\r\nBcc: eve@example.com', text: 'A \u2066text.' });
  server.close();
  expect(said).toContain('RCPT TO:<ada@example.com>');
  expect(said).toContain('Subject: Hello Bcc: eve@example.com');
  expect(said.some((line) => line.startsWith('Bcc:'))).toBe(false);
  expect(said).toContain('A text.');
  expect(said.find((line) => line.startsWith('From:'))).toContain('no-reply@quorate.example');
});
