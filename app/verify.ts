/**
 * `npm run verify -- FILE`: checks a bundle of evidence offline, with the verifier that the browser uses, and says what it
 * checked and found. Exit codes: 0 proven (a part of the log, where the file says that it is one), 1 something was tampered with, dropped or
 * forged, 2 not proven: no key is pinned, or something that the proof needs is not in the file.
 */
import { readLogKey } from '#app/platform/log/log-key-file.ts';
import { runVerify } from '#app/verify/run-verify.ts';

process.exitCode = await runVerify(process.argv.slice(2), {
  command: 'npm run verify --',
  withoutKey: 'without it the key that the server of this machine wrote is used',
  ownKey: readLogKey,
});
