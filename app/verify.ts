/**
 * `npm run verify -- FILE`: checks a bundle of evidence offline, with the verifier that the browser uses, and says what it
 * checked and found. Exit codes: 0 proven (a part of the log, where the file says that it is one), 1 something was tampered with, dropped or
 * forged, 2 not proven: no key is pinned, or something that the proof needs is not in the file.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { trustStamps } from '#app/features/audit/proof/trust-stamps.server.ts';
import { readPolicy } from '#app/features/audit/verifier/policy.ts';
import { type Check, type Report, verifyEvidence } from '#app/features/audit/verifier.ts';
import { readLogKey } from '#app/platform/log/log-key-file.ts';
import words from '#locales/en/audit.json' with { type: 'json' };

const USAGE = `Usage: npm run verify -- FILE [--key KEY] [--checkpoint FILE]
  FILE              evidence, downloaded from the audit page
  --key KEY         the instance's public key (name+id+base64), or a file that holds it;
                    without it the key that the server of this machine wrote is used
  --checkpoint FILE a checkpoint that you received earlier, by mail or webhook, or from a witness
  --policy FILE     the witnesses that must have signed (tlog-policy), saved from the page Witnesses
  --ca FILE         certificates (PEM) of the authorities whose time stamps you trust
`;
const EXIT = { proven: 0, part: 0, failed: 1, unpinned: 2, incomplete: 2 } as const;
const VERDICTS = {
  proven: 'verify.verdictProven',
  part: 'verify.verdictPart',
  failed: 'verify.verdictFailed',
  unpinned: 'verify.verdictUnpinned',
  incomplete: 'verify.verdictIncomplete',
} as const;
const SUBJECTS = { event: 'verify.subjectEvent', run: 'verify.subjectRun', log: 'verify.subjectLog' } as const;
const MARKS = { ok: 'ok     ', failed: 'FAILED ', unknown: 'open   ' } as const;

try {
  process.exitCode = await main();
} catch (error) {
  // A file that cannot be opened says nothing about the evidence: neither proven nor tampered with.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = EXIT.incomplete;
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const file = positionals[0];
  if (values.help || file === undefined || positionals.length > 1) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const bundle = parseJson(await readFile(file, 'utf8'));
  const pinned =
    values.key === undefined ? (values.policy === undefined ? await readLogKey() : null) : { key: await readKey(values.key), file: null };
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

function readArguments() {
  try {
    return parseArgs({
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

/** The note inside a mail as it was saved: from the origin's line to the signature's. */
function noteIn(text: string): string {
  return /^\S+\r?\n\d+\r?\n[A-Za-z0-9+/]{43}=\r?\n\r?\n(?:\u2014 \S+ \S+\r?\n?)+/mu.exec(text)?.[0] ?? text;
}

function print(file: string, report: Report, keyFile: string | null): void {
  const lines = [
    report.subject === null ? file : `${file}: ${sentence(SUBJECTS[report.subject.kind], { id: report.subject.id })}`,
    ...(keyFile === null ? [] : [sentence('verify.keyFile', { file: keyFile })]),
    '',
    ...report.checks.map((check) => `${MARKS[check.state]} ${checkSentence(check)}`),
    '',
    sentence(VERDICTS[report.verdict], {}),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function checkSentence(check: Check): string {
  return fill(plural(words.checks, check.code, check.values.count), check.values);
}

function sentence(key: `verify.${keyof typeof words.verify}`, values: Record<string, string | number>): string {
  return fill(words.verify[key.slice('verify.'.length) as keyof typeof words.verify], values);
}

function plural(texts: Record<string, string>, key: string, count: string | number | undefined): string {
  return texts[key] ?? texts[`${key}_${count === 1 ? 'one' : 'other'}`] ?? key;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
