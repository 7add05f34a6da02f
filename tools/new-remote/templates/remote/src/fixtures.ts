import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

/** States of the page to look at in the harness. */
export const scenarios: Record<string, FakeHostOptions> = {
  'Điển hình': {},
}
