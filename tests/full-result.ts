import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { LOOKED_AT } from './support/looked-at.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'tests', 'results');
const MESSAGE_MAX = 600;

/** Tests, and the screens that they looked at (each language counted). */
export type Counts = { passed: number; failed: number; skipped: number; screens: number; failures: string[] };

type PartResult = Counts & {
  at: string;
  /** What was tested; with a plus when there were changes beside it. */
  commit: string;
  seconds: number;
  machine: { cpu: string; cores: number; memoryGb: number; load: number; node: string; browser: string };
};

/**
 * Keeps what a part of the full tests came to in the result of this day, `tests/results/<date>.json` and the same as text. A
 * part that ran before on the same day is replaced.
 */
export function keepResult(name: string, counts: Counts, seconds: number, browser: string): void {
  const at = new Date().toISOString();
  const file = join(folder, `${at.slice(0, 10)}.json`);
  const parts: Record<string, PartResult> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  parts[name] = { at, commit: commitNow(), seconds: Math.round(seconds), ...counts, machine: { ...machineNow(), browser } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(parts, null, 2)}\n`);
  writeFileSync(file.replace(/json$/, 'txt'), textOf(at.slice(0, 10), parts));
}

function textOf(date: string, parts: Record<string, PartResult>): string {
  const rows = Object.entries(parts).map(([name, part]) => [
    name,
    part.failed === 0 && part.passed > 0 ? 'passed' : 'failed',
    `${part.passed} of ${part.passed + part.failed}`,
    part.screens === 0 ? '' : String(part.screens),
    `${part.seconds} s`,
    part.commit,
  ]);
  const table = [['part', 'result', 'tests', 'screens', 'took', 'commit'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const failures = Object.entries(parts).flatMap(([name, { failures: own }]) => own.map((failure) => `${name}: ${failure}`));
  const told = failures.length === 0 ? [] : ['', 'Failures', '', ...failures];
  return `${[`npm run test:full, ${date}`, '', ...lines, ...told].join('\n')}\n`;
}

function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!tests/results') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    // Unpacked from an archive.
    return 'unknown';
  }
}

function machineNow() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    node: process.version,
  };
}

/** What the JSON reporters of Playwright and Vitest counted; a file that is not there is one failure. */
export function readCounts(file: string): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, screens: 0, failures: ['it ended before it had a result'] };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return 'suites' in report ? countsOfPlaywright(report) : countsOfVitest(report);
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: {
      status: string;
      annotations: { type: string; description?: string }[];
      results: { errors: { message?: string }[] }[];
    }[];
  }[];
};

function countsOfPlaywright(report: {
  stats: { expected: number; unexpected: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}): Counts {
  const specsOf = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const specs = report.suites.flatMap(specsOf);
  const notes = specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations));
  const failures = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ results }) =>
      results.flatMap(({ errors }) => errors.map(({ message }) => `${file} › ${title}: ${shortened(message ?? '')}`)),
    ),
  );
  const apart = report.errors.map(({ message }) => shortened(message ?? ''));
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected + (apart.length > 0 ? 1 : 0),
    skipped: report.stats.skipped,
    screens: notes.filter(({ type }) => type === LOOKED_AT).reduce((sum, { description }) => sum + Number(description), 0),
    failures: [...failures, ...apart],
  };
}

function countsOfVitest(report: {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; message: string; status: string; assertionResults: { fullName: string; failureMessages: string[] }[] }[];
}): Counts {
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${name.slice(root.length + 1)}: ${shortened(message)}`] : []),
    ...assertionResults.flatMap(({ fullName, failureMessages }) => failureMessages.map((text) => `${fullName}: ${shortened(text)}`)),
  ]);
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests,
    screens: 0,
    failures,
  };
}

/** Without the colours of a terminal, where it happened on this machine, and lines without end. */
function shortened(message: string): string {
  const plain = message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .replaceAll(root, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > MESSAGE_MAX ? `${plain.slice(0, MESSAGE_MAX)} …` : plain;
}
