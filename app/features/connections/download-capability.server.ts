import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** All that a peer says of one tool, skill or model, as a file. @throws AppError not_found */
export async function downloadCapability({
  params,
  context,
}: {
  params: { capability: string };
  context: Readonly<RouterContextProvider>;
}) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.capability).data;
  const row =
    id === undefined
      ? undefined
      : await read((db) =>
          db
            .selectFrom('quorate.capabilities as c')
            .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
            .where('c.workspace_id', '=', member.workspace.id)
            .where('c.id', '=', id)
            .where('n.deleted_at', 'is', null)
            .select('c.definition')
            .executeTakeFirst(),
        );
  if (row === undefined) throw new AppError('not_found');
  return jsonFile(row.definition, `quorate-capability-${id}`);
}
