/** The page that verifies evidence without a server: the build puts this, its styles and its texts into one file. */
import { readPolicy } from '#app/features/audit/verifier/policy.ts';
import type { Check, Report } from '#app/features/audit/verifier/report.ts';
import { trustStamps } from '#app/features/audit/verifier/stamps.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { entryTable } from '#app/verify/entry-table.ts';
import { noteIn } from '#app/verify/note-in.ts';
import { checkSentence, subjectSentence, verdictSentence } from '#app/verify/say-report.ts';

const STATES = { ok: 'Holds', failed: 'Failed', unknown: 'Open' } as const;
const COLOURS = { proven: 'ok', part: 'ok', failed: 'failed', unpinned: 'unknown', incomplete: 'unknown' } as const;

const result = byId('result', HTMLElement);
byId('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  verify().catch((error: unknown) => {
    // Something that was typed beside the evidence cannot be read, which says nothing about the evidence.
    result.replaceChildren(made('p', error instanceof Error ? error.message : String(error), 'verdict unknown'));
  });
});

async function verify(): Promise<void> {
  const [file] = byId('evidence', HTMLInputElement).files ?? [];
  if (file === undefined) return;
  result.replaceChildren(made('p', 'Verifying …'));
  const bundle = parseJson(await file.text());
  const began = performance.now();
  const policy = textOf('policy');
  // Refused here, so that a policy with a mistake is not taken for evidence with one.
  if (policy !== null) await readPolicy(policy);
  const [key, received, ca] = [byId('key', HTMLInputElement).value.trim() || null, textOf('checkpoint'), textOf('ca')];
  const report = await verifyEvidence(bundle, {
    key,
    policy,
    received: received === null ? null : noteIn(received),
    ...(ca !== null && { checkStamp: trustStamps(ca) }),
  });
  show(file.name, report, bundle, performance.now() - began);
}

function show(name: string, report: Report, bundle: unknown, milliseconds: number): void {
  const subject = subjectSentence(report);
  const verdict = made('p', verdictSentence(report), `verdict ${COLOURS[report.verdict]}`);
  verdict.dataset.verdict = report.verdict;
  verdict.dataset.milliseconds = milliseconds.toFixed(1);
  const list = made('ul');
  list.append(...report.checks.map(finding));
  const table = report.verdict === 'failed' ? null : entryTable(bundle);
  result.replaceChildren(
    made('h2', subject === null ? name : `${name}: ${subject}`),
    verdict,
    made('h2', 'What was checked'),
    list,
    ...(table === null ? [] : [made('h2', 'What the file says'), table]),
  );
}

function finding(check: Check): HTMLElement {
  const item = made('li');
  item.dataset.check = check.code;
  item.append(made('span', STATES[check.state], `state ${check.state}`), made('span', checkSentence(check)));
  return item;
}

/** A file that is not JSON is a finding of the verifier. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOf(id: string): string | null {
  const { value } = byId(id, HTMLTextAreaElement);
  return value.trim() === '' ? null : value;
}

function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}

function made(tag: string, text = '', className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}
