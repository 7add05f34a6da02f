import parser from '@babel/eslint-parser'
import reactHooks from 'eslint-plugin-react-hooks'

/** React's own rules, which Biome does not have. Everything else is Biome's. */
export default [
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/*.test.*'],
    languageOptions: {
      parser,
      parserOptions: {
        requireConfigFile: false,
        babelOptions: {
          babelrc: false,
          configFile: false,
          parserOpts: { plugins: ['typescript', 'jsx'] },
        },
      },
    },
    plugins: { 'react-hooks': reactHooks },
    rules: Object.fromEntries(
      Object.keys(reactHooks.rules).map((rule) => [`react-hooks/${rule}`, 'error']),
    ),
    linterOptions: { noInlineConfig: true },
  },
]
