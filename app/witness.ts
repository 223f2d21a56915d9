/**
 * `npm run witness`: signs heads of logs that continue what it signed before (c2sp.org/tlog-witness), with a key of its own and one file a
 * log. Run it elsewhere than the instance that it watches, best by other people. It needs no database and no setting of Quorate.
 */
import { parseArgs } from 'node:util';
import { openWitness, WitnessSetupError } from '#app/witness/open-witness.ts';
import { serveWitness } from '#app/witness/serve-witness.ts';

const USAGE = `Usage: npm run witness -- --log KEY [--log KEY …] [--name NAME] [--data DIRECTORY] [--port PORT] [--host HOST]
  --log KEY         the public key of an instance (name+id+base64), whose logs it watches
  --name NAME       the name that it signs with (witness)
  --data DIRECTORY  where its key and the heads that it signed are kept (.witness); as lasting as what it says
  --port, --host    where it listens (4080, 127.0.0.1)
`;

function readArguments() {
  try {
    return parseArgs({
      options: {
        log: { type: 'string', multiple: true, default: [] },
        name: { type: 'string', default: 'witness' },
        data: { type: 'string', default: '.witness' },
        port: { type: 'string', default: '4080' },
        host: { type: 'string', default: '127.0.0.1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

const values = readArguments();
if (values === null || values.help || values.log.length === 0 || !/^\d{1,5}$/.test(values.port)) {
  process.stderr.write(USAGE);
  process.exitCode = values?.help === true ? 0 : 2;
} else {
  try {
    const witness = await openWitness({ directory: values.data, name: values.name, logKeys: values.log });
    const { address } = await serveWitness(witness, { host: values.host, port: Number(values.port) });
    process.stdout.write(`Signs as ${witness.key}\nListens on ${address}\nNames it in Quorate: ${witness.key} ${address}\n`);
  } catch (error) {
    if (!(error instanceof WitnessSetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
