import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of `npm test` on two cores, each takes half a minute or more, and most of that is waiting. */
const LONGEST = [
  'runs-killed.spec.ts',
  'development.spec.ts',
  'serving.spec.ts',
  'first-start.spec.ts',
  'route-matrix.spec.ts',
  'auth-journey.spec.ts',
  'embedded-backend.spec.ts',
  'embedded-postgres.spec.ts',
  'mailbox.spec.ts',
  'runs-fairness.spec.ts',
  'runs-worker.spec.ts',
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place === -1 ? LONGEST.length : place;
};

/** Begins with the longest files: in the order of a fresh checkout, by size, the longest of all came last and ran alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
