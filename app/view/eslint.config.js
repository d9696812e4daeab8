// Style and common mistakes; tsconfig.json has the checks of types.
export default [
  {
    files: ['**/*.js'],
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Names are text: use textContent.' },
        { property: 'outerHTML', message: 'Names are text: use textContent.' },
        { property: 'insertAdjacentHTML', message: 'Names are text: use textContent.' },
      ],
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'localStorage'],
      'no-unused-vars': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
];
