"""Numba kernels: arrays in, arrays out; nothing here imports the rest of core.

The paper's letters live in this package only. Glossary (Ji et al. 2019, MATH sections):

======== ============================================= ==================================
symbol   name outside                                  where defined
======== ============================================= ==================================
``q``    activation, posterior probability of a node   eq. 2; 1 for a present token
``w``    weight of an edge                             eq. 1
``w0``   leak of a node                                eq. 1
``W``    total weight from a topic to its children     MATH §2
``f``    log(1 - exp(-a)), log-probability of "on"     eq. 5
``F``    bound on, or value of, E[f(activation)]       MATH §2
``r``    share of an edge in the Jensen bound          eqs 6-7
``u``    w0 + w / r                                    below eq. 7
``b``    coupling of two nodes given ``r``             MATH §3
``c, s`` coefficients and rates of the exponentials    MATH §4
``t``    exp(-s w), survival of an exponential         MATH §4
``P``    the terms that sum to F in the exact bound    MATH §4
======== ============================================= ==================================
"""
