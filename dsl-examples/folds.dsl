# What a ufunc of two values does besides: one value of the elements along an axis, the values on the way there, every
# pair of elements, and elements named by their indices.
#
#   jitc run folds.dsl add.reduce --arg array=random:f4[40,1000]:seed=1 --axis 1 --print
#   jitc run folds.dsl add.reduce --arg array=random:f4[9000,7]:seed=2 --axis 0 --keepdims --print
#   jitc run folds.dsl add.reduce --arg array=random:f8[30,20,50]:seed=3 --axis 0,2 --print
#   jitc run folds.dsl add.reduce --arg array=arange:f8[0,3] --print
#   jitc run folds.dsl largest.reduce --arg array=random:f4[100,200]:seed=4 --axis all --print
#   jitc run folds.dsl add.accumulate --arg array=random:f4[5,300]:seed=5 --axis 1 --print
#   jitc run folds.dsl add.outer --arg a=arange:f4[12] --arg b=arange:f4[10] --print
#   jitc run folds.dsl add.at --arg target=zeros:f4[10] --arg indices=arange:i8[10] --arg values=0.5 --print
from numba import f4, f8, vectorize


@vectorize([f4(f4, f4), f8(f8, f8)], identity=0)
def add(a, b):
    return a + b


@vectorize([f4(f4, f4)])
def largest(a, b):
    return max(a, b)
