import { DEMO_TEMPLATES, type DemoTemplateId } from '#app/domain/workflows/workflow-templates.ts';
import { putInForce } from '#app/engine/control/in-force.ts';
import type { DemoSeed } from '#app/engine/demo/demo-seed.ts';
import { createArtifact } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';

export type DemoTexts = Readonly<Record<DemoTemplateId, { name: string; description: string }>>;

/** The demo's templates as published workflows of the builder. */
export async function seedDemoWorkflows(seed: DemoSeed, texts: DemoTexts): Promise<void> {
  for (const template of DEMO_TEMPLATES) {
    const { name, description } = texts[template.id];
    const standing = await seed.builder.read((db) =>
      db
        .selectFrom('quorate.artifacts')
        .where('kind', '=', 'workflow')
        .where('name', '=', name)
        .select(['id', 'published_version_id'])
        .executeTakeFirst(),
    );
    const id = standing?.id ?? seed.newId();
    if (standing === undefined) {
      await seed.builder.change(async (db) => {
        await createArtifact(db, {
          kind: 'workflow',
          id,
          workspaceId: seed.workspaceId,
          ownerId: seed.builder.userId,
          name,
          description,
          document: template.document,
        });
        return {
          result: null,
          event: { action: 'workflow.created', resource: { kind: 'workflow', id, name }, payload: { template: template.id } },
        };
      });
    }
    if (standing?.published_version_id) continue;
    await seed.builder.change(async (db) => {
      const version = await freezeVersion(db, {
        id: seed.newId(),
        workspaceId: seed.workspaceId,
        artifactId: id,
        authorId: seed.builder.userId,
        document: template.document,
        publish: true,
      });
      await putInForce(db, { kind: 'workflow', id, state: { status: 'active', versionId: version.id }, now: seed.now() });
      return {
        result: null,
        event: {
          action: 'workflow.published',
          resource: { kind: 'workflow', id, name },
          payload: { version: version.number, contentHash: version.contentHash },
        },
      };
    });
  }
}
