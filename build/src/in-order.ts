import type { Compiler, Configuration } from '@rspack/core'

type Named = Configuration & { readonly name: string }

/** Rspack itself goes on after compile errors, with the files of the build before. */
const endAfterErrors = {
  apply({ hooks }: Compiler) {
    hooks.done.tap('in order', (stats) => {
      if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
    })
  },
}

/** Builds `second`, which reads the files of `first`, after `first` has no errors. */
export const inOrder = <First extends Named, Second extends Configuration>(
  first: First,
  second: Second,
) => [
  { ...first, plugins: [...(first.plugins ?? []), endAfterErrors] },
  { ...second, dependencies: [first.name] },
]
