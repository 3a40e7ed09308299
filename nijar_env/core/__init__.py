"""The rules of Níjar as compiled functions over (box record, game record).

One module a chapter of the rulebook: `setup` §4, `supply` §5, `engine` and `decisions` §6-7,
`market` §7.1 and §7.2.3, `turns` §7.2, `acquire` §8.1, `play` §8.2, `extract` §8.3-8.4, `throw`
§8.5-8.6, `kilns` §8.7-8.8, `clean` §8.9, `actions` §8.10 and menus, `first_player` §8.11, `bonuses`
§9, `round_end` §10, `scoring` §11, `competition` §12. Around them: `record` (the state),
`catalogue` (actions), `frames` (pending effects), `rng`, `observe`, `determinize`, `kernels` (entry
points for arrays).
"""
