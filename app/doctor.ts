/** `npm run doctor`: what a start needs, one line each, with what to do. Ends with 1 when something is wrong. */
import { checkHealth } from '#app/platform/health-checks.server.ts';

const MARKS = { ok: 'ok       ', attention: 'attention', problem: 'problem  ' } as const;

const findings = await checkHealth();
for (const { name, state, found, remedy } of findings) {
  process.stdout.write(`${MARKS[state]}  ${name.padEnd(15)} ${found}${remedy === undefined ? '' : `: ${remedy}`}\n`);
}
process.exitCode = findings.some((finding) => finding.state === 'problem') ? 1 : 0;
