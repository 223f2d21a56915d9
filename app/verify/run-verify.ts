import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readPolicy } from '#app/features/audit/verifier/policy.ts';
import type { Report } from '#app/features/audit/verifier/report.ts';
import { trustStamps } from '#app/features/audit/verifier/stamps.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { noteIn } from '#app/verify/note-in.ts';
import { checkSentence, keyFileSentence, subjectSentence, verdictSentence } from '#app/verify/say-report.ts';

/** `proven` and `part`: 0; tampered with, dropped or forged: 1; not proven, or nothing could be checked: 2. */
const EXIT = { proven: 0, part: 0, failed: 1, unpinned: 2, incomplete: 2 } as const;
const MARKS = { ok: 'ok     ', failed: 'FAILED ', unknown: 'open   ' } as const;

const usage = (command: string, withoutKey: string) => `Usage: ${command} FILE [--key KEY] [--checkpoint FILE] [--policy FILE] [--ca FILE]
  FILE              evidence, downloaded from the audit page
  --key KEY         the instance's public key (name+id+base64), or a file that holds it;
                    ${withoutKey}
  --checkpoint FILE a checkpoint that you received earlier, by mail or webhook, or from a witness
  --policy FILE     the witnesses that must have signed (tlog-policy), saved from the page Witnesses
  --ca FILE         certificates (PEM) of the authorities whose time stamps you trust
`;

/** `command`: how it was called. `ownKey`: the key to pin where none is given, and the file that holds it; `withoutKey`: this in words. */
export type Surroundings = {
  command: string;
  withoutKey: string;
  ownKey(): Promise<{ key: string; file: string } | null>;
};

/** Checks the file that the arguments name, prints what it found and returns the exit code. Never throws. */
export async function runVerify(args: string[], surroundings: Surroundings): Promise<number> {
  try {
    return await verify(args, surroundings);
  } catch (error) {
    // A file that cannot be opened says nothing about the evidence: neither proven nor tampered with.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.incomplete;
  }
}

async function verify(args: string[], { command, withoutKey, ownKey }: Surroundings): Promise<number> {
  const { values, positionals } = readArguments(args);
  const file = positionals[0];
  if (values.help || file === undefined || positionals.length > 1) {
    process.stderr.write(usage(command, withoutKey));
    return values.help ? 0 : 2;
  }
  const bundle = parseJson(await readFile(file, 'utf8'));
  const pinned =
    values.key === undefined ? (values.policy === undefined ? await ownKey() : null) : { key: await readKey(values.key), file: null };
  const received = values.checkpoint === undefined ? null : noteIn(await readFile(values.checkpoint, 'utf8'));
  const policy = values.policy === undefined ? null : await readFile(values.policy, 'utf8');
  // A policy that cannot be read says nothing about the evidence.
  if (policy !== null) await readPolicy(policy);
  const checkStamp = values.ca === undefined ? null : trustStamps(await readFile(values.ca, 'utf8'));
  const report = await verifyEvidence(bundle, {
    key: pinned?.key ?? null,
    received,
    policy,
    ...(checkStamp !== null && { checkStamp }),
  });
  print(file, report, pinned?.file ?? null);
  return EXIT[report.verdict];
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        checkpoint: { type: 'string' },
        policy: { type: 'string' },
        ca: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return {
      values: {} as { key?: string; checkpoint?: string; policy?: string; ca?: string; help?: boolean },
      positionals: [] as string[],
    };
  }
}

/** A file that is not JSON is a finding of the verifier, not a crash. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A key as text, or a file with it. */
async function readKey(text: string): Promise<string> {
  return text.includes('+') ? text : (await readFile(text, 'utf8')).trim();
}

function print(file: string, report: Report, keyFile: string | null): void {
  const subject = subjectSentence(report);
  const lines = [
    subject === null ? file : `${file}: ${subject}`,
    ...(keyFile === null ? [] : [keyFileSentence(keyFile)]),
    '',
    ...report.checks.map((check) => `${MARKS[check.state]} ${checkSentence(check)}`),
    '',
    verdictSentence(report),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
