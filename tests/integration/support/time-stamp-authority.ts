import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type KeyKind = 'rsa' | 'ec';
export type TimeStampAuthority = {
  url: string;
  /** PEM of the root, which the authority's certificate is issued by. */
  ca: string;
  policy: string;
  /** What openssl says of an answer over these bytes. */
  accepts(answer: Uint8Array, text: string): boolean;
  /** Changes each answer on its way; null: leaves it as it is. */
  spoil(change: ((answer: Buffer) => Buffer) | null): void;
  close(): void;
};

const CONFIG = (digest: string) => `
[ tsa ]
default_tsa = one
[ one ]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = ${digest}
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.5
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[ tsa_ext ]
extendedKeyUsage = critical,timeStamping
[ ca_ext ]
basicConstraints = critical,CA:true
`;

/** An authority of RFC 3161 over HTTP: openssl, with a root of its own. */
export async function startAuthority(kind: KeyKind, digest = 'sha256'): Promise<TimeStampAuthority> {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-tsa-'));
  const at = (name: string) => join(directory, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] });
  writeFileSync(at('tsa.cnf'), CONFIG(digest));
  writeFileSync(at('serial'), '01\n');
  const newKey = kind === 'rsa' ? ['-newkey', 'rsa:2048'] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const request = (name: string, subject: string) => [...newKey, '-nodes', '-keyout', `${name}.key`, '-subj', subject];
  openssl('req', '-x509', ...request('ca', '/CN=Root'), '-out', 'ca.pem', '-days', '30', '-addext', 'basicConstraints=critical,CA:true');
  openssl('req', '-new', ...request('tsa', '/CN=Time'), '-out', 'tsa.csr');
  openssl(
    ...'x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out tsa.pem -days 30 -extfile tsa.cnf -extensions tsa_ext'.split(
      ' ',
    ),
  );
  let change: ((answer: Buffer) => Buffer) | null = null;
  const server = createServer(async (question, response) => {
    const parts: Buffer[] = [];
    for await (const part of question) parts.push(part as Buffer);
    writeFileSync(at('request.tsq'), Buffer.concat(parts));
    openssl(...'ts -reply -config tsa.cnf -section one -queryfile request.tsq -out answer.tsr'.split(' '));
    const answer = readFileSync(at('answer.tsr'));
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' });
    response.end(change === null ? answer : change(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    ca: readFileSync(at('ca.pem'), 'utf8'),
    policy: '1.2.3.4.5',
    accepts(answer, text) {
      writeFileSync(at('kept.tsr'), answer);
      writeFileSync(at('text'), text);
      try {
        openssl(...'ts -verify -data text -in kept.tsr -CAfile ca.pem'.split(' '));
        return true;
      } catch {
        return false;
      }
    },
    spoil(next) {
      change = next;
    },
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
