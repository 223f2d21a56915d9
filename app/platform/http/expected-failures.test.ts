import type { ServerBuild } from 'react-router';
import { describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { answerExpectedFailures } from '#app/platform/http/expected-failures.ts';

function buildWith(loader: () => unknown): ServerBuild {
  return { routes: { page: { id: 'page', module: { default: () => null, loader } } } } as unknown as ServerBuild;
}

describe('an expected failure of a loader', () => {
  it('answers with its status and its code', async () => {
    const build = answerExpectedFailures(
      buildWith(() => {
        throw new AppError('over_limit', { values: { seconds: 30 } });
      }),
    );
    const loader = build.routes.page?.module.loader as () => Promise<unknown>;
    await expect(loader()).rejects.toMatchObject({ data: { code: 'over_limit', values: { seconds: 30 } }, init: { status: 429 } });
  });

  it('is told apart from a defect, which stays what it was', async () => {
    const defect = new TypeError('x is undefined');
    const build = answerExpectedFailures(buildWith(() => Promise.reject(defect)));
    const loader = build.routes.page?.module.loader as () => Promise<unknown>;
    await expect(loader()).rejects.toBe(defect);
  });

  it('is also a body that is not the form it says it is', async () => {
    const posted = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: 'no form',
    });
    const build = answerExpectedFailures(buildWith(() => posted.formData()));
    const loader = build.routes.page?.module.loader as () => Promise<unknown>;
    await expect(loader()).rejects.toMatchObject({ data: { code: 'invalid_input' }, init: { status: 400 } });
  });
});
