import { data, href, type LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';
import { memberContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { beginCompany } from '#app/features/auth/company/begin-company.server.ts';
import { HOME_PATH } from '#app/features/auth/session/return-path.ts';

/** Sends an admin to a provider of theirs, whether it counts or not. Its answer is shown to them and changes nothing. */
export async function beginProviderTest({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'manageMembers');
  const provider = z.uuid().safeParse(params.provider).data;
  const found =
    provider === undefined
      ? undefined
      : await read((db) =>
          db
            .selectFrom('quorate.identity_providers')
            .select('id')
            .where('workspace_id', '=', member.workspace.id)
            .where('id', '=', provider)
            .executeTakeFirst(),
        );
  if (found === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const page = href('/dashboard/admin/sign-in/:provider/test', { provider: found.id });
  return beginCompany(context, request, { provider: found.id, purpose: 'test', next: HOME_PATH, page });
}
