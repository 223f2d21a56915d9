/** The same for whoever has Node and no copy of Quorate: the build makes one file of it, without anything to install. */
import { runVerify } from '#app/verify/run-verify.ts';

process.exitCode = await runVerify(process.argv.slice(2), {
  command: 'node quorate-verify.mjs',
  withoutKey: 'without it, and without a policy, nothing is called proven',
  ownKey: async () => null,
});
