import { data, type RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { PACK_FILES, partOfPack } from '#app/domain/control/evidence-export.ts';
import { type ControlWords, oscalOf } from '#app/engine/packs/oscal.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import { summarisePack } from '#app/engine/packs/summarise.ts';
import { writeAssessmentsCsv } from '#app/engine/packs/write-assessments-csv.ts';
import { writePack } from '#app/engine/packs/write-pack.ts';
import { writePackCsv } from '#app/engine/packs/write-pack-csv.ts';
import { takeOrAsk } from '#app/evidence.server.ts';
import { readAsked } from '#app/features/audit/packs/load-pack.server.ts';
import type { PackFileName } from '#app/features/audit/packs/pack-files.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;

/** One of the files of a pack. The long ones leave while they are read. 404 for another name, 400 for a question that cannot be used. */
export async function downloadPack({ url, context, params }: { url: URL; context: Context; params: { file: string } }): Promise<Response> {
  const { scope } = await readAsked(context, url);
  const name = PACK_FILES.find((known) => known === params.file);
  if (name === undefined) throw data({ code: 'not_found' }, { status: 404 });
  if (scope === null) throw data({ code: 'invalid_input' }, { status: 400 });
  const { framework, from, until, seed } = scope.question;
  const file = `quorate-${framework}-${from}-${until}-${name}`;
  await takeOrAsk(context, { export: { kind: 'pack', framework, from, until, seed }, part: partOfPack(name), file });
  return new Response(await bodyOf(name, context, scope), {
    headers: {
      'Content-Type': name.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file}"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

async function bodyOf(name: PackFileName, context: Context, scope: PackScope): Promise<BodyInit> {
  const { read } = context.get(memberContext);
  const { engine, origin } = context.get(servicesContext);
  const words = controlWords(context);
  if (name === 'records.csv') return streamOf(writePackCsv(read, scope));
  if (name === 'assessments.csv') return writeAssessmentsCsv(scope);
  if (name === 'oscal.json')
    return `${JSON.stringify(oscalOf({ scope, summary: await summarisePack(read, scope), words, origin }), null, 2)}\n`;
  const sign = (digest: string) => engine.signPack(scope.workspace.id, digest);
  return streamOf(writePack({ read, scope, log: engine.signer, words, origin, sign }));
}

/** In the language of the reader, as the page has them. */
function controlWords(context: Context): ControlWords {
  const t = getTranslator(context, 'compliance');
  return (control) => ({ title: t(`control.${control}`), text: t(`rule.${control}`) });
}

/** Asks for the next piece only when the one before has left. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
